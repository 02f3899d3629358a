import { brotliCompressSync, gzipSync } from 'node:zlib'

import { createGuardedFetch } from '@parley/server-kit/fetch'
import { describe, expect, test } from 'vitest'

import { openLoggedServer } from '../../../../test-support/http-log.ts'
import { scriptedLookup } from '../../../../test-support/scripted-lookup.ts'
import { failureOf, textOf } from './support.ts'

/** Names of the attack, and what a model is talked into asking for (servers#4492, #4838). */
const addresses: readonly (readonly [attack: string, url: string])[] = [
  ['loopback', 'http://127.0.0.1/'],
  ['another address of loopback', 'http://127.8.9.10/'],
  ['localhost', 'http://localhost/'],
  ['a name below localhost', 'http://admin.localhost/'],
  ['localhost with the dot of the root', 'http://localhost./'],
  ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
  ['the metadata of a cloud over IPv6', 'http://[fd00:ec2::254]/'],
  ['link-local', 'http://169.254.1.1/'],
  ['private 10/8', 'http://10.0.0.1/'],
  ['private 172.16/12', 'http://172.31.255.255/'],
  ['private 192.168/16', 'https://192.168.1.1/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['this network', 'http://0.0.0.0/'],
  ['this network, short', 'http://0/'],
  ['protocol assignments', 'http://192.0.0.1/'],
  ['benchmarking', 'http://198.18.0.1/'],
  ['multicast', 'http://224.0.0.1/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['reserved', 'http://240.0.0.1/'],
  ['a decimal number', 'http://2130706433/'],
  ['a hexadecimal number', 'http://0x7f000001/'],
  ['an octal number', 'http://017700000001/'],
  ['octal parts', 'http://0177.0.0.1/'],
  ['hexadecimal parts', 'http://0x7f.0x0.0x0.0x1/'],
  ['missing parts', 'http://127.1/'],
  ['an escaped digit', 'http://127.0.0.%31/'],
  ['full-width digits', 'http://１２７.０.０.１/'],
  ['ideographic dots', 'http://127。0。0。1/'],
  ['IPv6 loopback', 'http://[::1]/'],
  ['IPv6 unspecified', 'http://[::]/'],
  ['IPv4 mapped into IPv6', 'http://[::ffff:127.0.0.1]/'],
  ['IPv4 mapped, in hexadecimal', 'http://[::ffff:a9fe:a9fe]/'],
  ['IPv4 compatible', 'http://[::127.0.0.1]/'],
  ['NAT64', 'http://[64:ff9b::10.0.0.1]/'],
  ['NAT64 of a local prefix', 'http://[64:ff9b:1::10.0.0.1]/'],
  ['6to4', 'http://[2002:7f00:1::]/'],
  ['Teredo', 'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['unique local', 'http://[fc00::1]/'],
  ['IPv6 link-local', 'http://[fe80::1]/'],
  ['site-local', 'http://[fec0::1]/'],
  ['IPv6 multicast', 'http://[ff02::1]/'],
  ['documentation', 'http://[2001:db8::1]/'],
]

describe('an address that is not public is not asked', () => {
  test.each(addresses)('%s: %s', async (_, url) => {
    const error = await failureOf(createGuardedFetch()(url))

    expect(error.rule).toBe('allowPrivate')
    expect(error.message).toContain('is not an address of the public internet')
    expect(error.hint).toContain('allowPrivate')
  })

  test.each([
    ['file', 'file:///etc/passwd'],
    ['ftp', 'ftp://example.com/'],
    ['gopher', 'gopher://example.com:6379/_FLUSHALL'],
    ['data', 'data:text/plain,hi'],
    ['javascript', 'javascript:alert(1)'],
    ['blob', 'blob:https://example.com/1'],
  ])('scheme %s', async (scheme, url) => {
    const error = await failureOf(createGuardedFetch({ allowPrivate: true })(url))

    expect(error.rule).toBe('scheme')
    expect(error.message).toContain(`its scheme is ${scheme}; only http and https are allowed`)
  })

  test('a user name and password in the URL are neither sent nor shown', async () => {
    const error = await failureOf(createGuardedFetch()('https://ada:secret@example.com/x'))

    expect(error.rule).toBe('credentials')
    expect(error.message).toContain('https://example.com/x is not fetched')
    expect(error.message).not.toContain('secret')
  })
})

describe('a name that leads inside', () => {
  test.each([
    ['a name with a private address', ['10.1.2.3']],
    ['a name with a public and a private address', ['93.184.215.14', '127.0.0.1']],
    ['a name with a mapped address', ['::ffff:192.168.0.1']],
    ['a name with a NAT64 address', ['64:ff9b::7f00:1']],
    ['a name with what is no address', ['not-an-address']],
  ])('%s', async (_, found) => {
    const { lookup } = scriptedLookup({ 'inside.test': [found] })

    const error = await failureOf(createGuardedFetch({ lookup })('http://inside.test/'))

    expect(error.rule).toBe('allowPrivate')
    expect(error.message).toContain(`inside.test leads to ${found.at(-1)}`)
  })

  /** A resolver that changes its mind: first where one may go, then where one may not. */
  function rebinding() {
    const { lookup, asked } = scriptedLookup({ 'rebind.test': [['127.0.0.1'], ['127.0.0.2']] })
    return {
      asked,
      guarded: createGuardedFetch({ lookup, allowPrivate: true, denyHosts: ['127.0.0.2'] }),
    }
  }

  test('DNS rebinding: the address that was checked is the one that is asked', async () => {
    await using checked = await openLoggedServer(() => ({ body: 'checked' }))
    const { port } = new URL(checked.origin)
    const { guarded, asked } = rebinding()

    const text = await textOf(guarded(`http://rebind.test:${port}/`))

    expect(text).toBe('checked')
    expect(asked).toEqual(['rebind.test'])
  })

  test('DNS rebinding: the second request is checked like the first', async () => {
    await using checked = await openLoggedServer(() => ({ body: 'checked' }))
    const { port } = new URL(checked.origin)
    const { guarded } = rebinding()

    await textOf(guarded(`http://rebind.test:${port}/`))
    const error = await failureOf(guarded(`http://rebind.test:${port}/`))

    expect(error.rule).toBe('denyHosts')
    expect(error.message).toContain('it leads to 127.0.0.2')
    expect(checked.seen).toHaveLength(1)
  })

  test('DNS rebinding: a redirect to the same name is checked again', async () => {
    await using checked = await openLoggedServer(() => ({
      status: 302,
      headers: { location: '/' },
    }))
    const { port } = new URL(checked.origin)
    const { guarded, asked } = rebinding()

    const error = await failureOf(guarded(`http://rebind.test:${port}/`))

    expect(error.rule).toBe('denyHosts')
    expect(asked).toEqual(['rebind.test', 'rebind.test'])
  })
})

describe('a redirect', () => {
  /** Only the first name may be private here, so that it can be a server of this test. */
  function guardedBehindFront(names: Record<string, readonly (readonly string[])[]> = {}) {
    const { lookup } = scriptedLookup({ 'front.test': [['127.0.0.1']], ...names })
    return createGuardedFetch({ lookup, allowPrivate: ['front.test'] })
  }

  test.each([
    ['to loopback', 'http://127.0.0.1/', 'allowPrivate'],
    ['to the metadata of a cloud', 'http://169.254.169.254/', 'allowPrivate'],
    ['to a decimal address', 'http://2130706433/', 'allowPrivate'],
    ['to a mapped address', 'http://[::ffff:7f00:1]/', 'allowPrivate'],
    ['to a name that leads inside', 'http://inside.test/', 'allowPrivate'],
    ['to a file', 'file:///etc/passwd', 'scheme'],
    ['to data', 'data:text/html,hi', 'scheme'],
    ['with a password', 'http://a:b@example.com/', 'credentials'],
  ])('%s is not followed', async (_, location, rule) => {
    await using front = await openLoggedServer(() => ({ status: 302, headers: { location } }))
    const { port } = new URL(front.origin)

    const guarded = guardedBehindFront({ 'inside.test': [['10.0.0.1']] })
    const error = await failureOf(guarded(`http://front.test:${port}/`))

    expect(error.rule).toBe(rule)
    expect(front.seen).toHaveLength(1)
  })

  test('to itself ends after five', async () => {
    await using front = await openLoggedServer(() => ({ status: 307, headers: { location: '/' } }))

    const error = await failureOf(createGuardedFetch({ allowPrivate: true })(front.origin))

    expect(error.rule).toBe('maxRedirects')
    expect(error.message).toContain('more than 5 redirects')
    expect(front.seen).toHaveLength(6)
  })

  test('that can be followed is, and the answer says where it came from', async () => {
    await using front = await openLoggedServer(({ path }) =>
      path === '/there' ? { body: 'here' } : { status: 301, headers: { location: '/there' } },
    )

    const fetched = await createGuardedFetch({ allowPrivate: true })(front.origin)

    expect(fetched.url.pathname).toBe('/there')
    expect(await textOf(Promise.resolve(fetched))).toBe('here')
  })
})

describe('a hostile body', () => {
  const small = createGuardedFetch({ allowPrivate: true, maxBytes: 100_000, timeoutMs: 10_000 })

  test.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
  ])('a bomb packed as %s ends at the limit', async (encoding, bomb) => {
    await using host = await openLoggedServer((_, { response }) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
      return undefined
    })
    let received = 0

    const fetched = await small(host.origin, { onProgress: (now) => (received = now.received) })
    const error = await failureOf(Promise.resolve(fetched))

    expect(error.rule).toBe('maxBytes')
    expect(received).toBeLessThanOrEqual(100_000)
  })

  test('a body without end ends at the limit, and so does its connection', async () => {
    let isClosed: () => void
    const closed = new Promise<void>((resolve) => (isClosed = resolve))
    await using host = await openLoggedServer((_, { response }) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => {
        clearInterval(timer)
        isClosed()
      })
      return undefined
    })

    const error = await failureOf(small(host.origin))
    await closed

    expect(error.message).toContain('it is longer than 100000 bytes')
  })

  test('a body that says it is too long is not read at all', async () => {
    await using host = await openLoggedServer((_, { response }) => {
      response.writeHead(200, { 'content-length': '200000' }).write('x')
      return undefined
    })

    const error = await failureOf(small(host.origin))

    expect(error.message).toContain('it is 200000 bytes long, more than the limit of 100000')
  })

  test.each([
    ['headers that never come', false],
    ['a body that stops in the middle', true],
  ])('%s are waited for no longer than allowed', async (_, hasHeaders) => {
    await using host = await openLoggedServer((_seen, { response }) => {
      if (hasHeaders) response.writeHead(200).write('begin')
      return undefined
    })

    const guarded = createGuardedFetch({ allowPrivate: true, timeoutMs: 100 })
    const error = await failureOf(guarded(host.origin))

    expect(error.rule).toBe('timeoutMs')
    expect(error.message).toContain('it takes longer than 100 ms')
  })

  test('a flood of headers is refused', async () => {
    await using host = await openLoggedServer((_, { response }) => {
      for (let index = 0; index < 2_000; index += 1)
        response.setHeader(`x-${index}`, 'y'.repeat(50))
      response.end('hi')
      return undefined
    })

    const error = await failureOf(small(host.origin))

    expect(error.message).toContain('its headers are too long')
  })

  test.each([
    ['a broken packing', 'gzip', Buffer.from('this is no gzip'), 'compressed body is damaged'],
    [
      'a packing that ends too soon',
      'gzip',
      gzipSync('x'.repeat(1000)).subarray(0, 20),
      'too soon',
    ],
    ['a packing nobody knows', 'rot13', Buffer.from('uv'), 'content encoding "rot13"'],
    [
      'a packing in a packing',
      'gzip, gzip',
      gzipSync(gzipSync('hi')),
      'content encoding "gzip, gzip"',
    ],
  ])('%s is an error that says so', async (_, encoding, body, why) => {
    await using host = await openLoggedServer((_seen, { response }) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(body)
      return undefined
    })

    expect((await failureOf(small(host.origin))).message).toContain(why)
  })

  test('a status that HTTP does not have is an error that says so', async () => {
    await using host = await openLoggedServer((_, { response }) => {
      response.writeHead(999).end()
      return undefined
    })

    expect((await failureOf(small(host.origin))).message).toContain('status 999')
  })
})

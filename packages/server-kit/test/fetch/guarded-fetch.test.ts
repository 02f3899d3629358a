import { once } from 'node:events'
import { createServer, request as requestHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import { createGuardedFetch } from '@parley/server-kit/fetch'
import { describe, expect, test } from 'vitest'

import { openLoggedServer } from '../../../../test-support/http-log.ts'
import { scriptedLookup } from '../../../../test-support/scripted-lookup.ts'
import { failureOf, textOf } from './support.ts'

const open = createGuardedFetch({ allowPrivate: true })

describe('fetching', () => {
  test('gives status, headers and body, unpacked', async () => {
    await using host = await openLoggedServer((_, { response }) => {
      response.writeHead(418, { 'content-encoding': 'gzip', 'x-a': 'b' }).end(gzipSync('short'))
      return undefined
    })

    const fetched = await open(host.origin)

    expect(fetched.status).toBe(418)
    expect(fetched.headers.get('x-a')).toBe('b')
    expect(await textOf(Promise.resolve(fetched))).toBe('short')
  })

  test('sends the headers it is given, and never a cookie', async () => {
    await using host = await openLoggedServer(() => ({ body: '' }))

    await textOf(open(host.origin, { headers: { 'User-Agent': 'test/1', Cookie: 'a=b' } }))

    expect(host.seen[0]?.headers).toMatchObject({ 'user-agent': 'test/1' })
    expect(host.seen[0]?.headers.cookie).toBeUndefined()
  })

  test('tells how far it has come', async () => {
    let finish = (): void => undefined
    await using host = await openLoggedServer((_, { response }) => {
      response.writeHead(200, { 'content-length': '8' }).write('half')
      finish = () => response.end('half')
      return undefined
    })
    const seen: unknown[] = []

    const onProgress = (progress: unknown): void => {
      seen.push(progress)
      finish() // so that both halves arrive apart
    }
    await textOf(open(host.origin, { onProgress }))

    expect(seen).toEqual([
      { received: 4, total: 8 },
      { received: 8, total: 8 },
    ])
  })

  test('whoever asked can give up, with a reason of their own', async () => {
    await using host = await openLoggedServer(() => undefined)
    const controller = new AbortController()
    const reason = new Error('enough')

    const fetching = open(host.origin, { signal: controller.signal })
    controller.abort(reason)

    await expect(fetching).rejects.toBe(reason)
  })

  test('a body that is given up closes its connection', async () => {
    let isClosed: () => void
    const closed = new Promise<void>((resolve) => (isClosed = resolve))
    await using host = await openLoggedServer((_, { response }) => {
      response.on('close', () => isClosed())
      response.writeHead(200).write('some')
      return undefined
    })

    const fetched = await open(host.origin)
    await fetched.discard()

    await closed
  })

  test.each([
    ['http://127.0.0.1:1/', 'the connection was refused'],
    ['http://nowhere.test/', 'the host name does not exist'],
  ])('says why %s cannot be reached', async (url, why) => {
    const guarded = createGuardedFetch({ ...scriptedLookup({}), allowPrivate: true })

    expect((await failureOf(guarded(url))).message).toBe(`${url} is not fetched: ${why}`)
  })

  test('what is no URL is a mistake of the caller', async () => {
    await expect(open('not a url')).rejects.toThrow('"not a url" is not a URL')
  })
})

describe('lists of hosts', () => {
  const { lookup } = scriptedLookup({
    'inside.test': [['127.0.0.1']],
    'a.inside.test': [['127.0.0.1']],
    'outside.test': [['127.0.0.1']],
  })

  test.each([
    ['inside.test', true],
    ['a.inside.test', true],
    ['INSIDE.test.', true],
    ['outside.test', false],
    ['notinside.test', false],
    ['inside.test.evil.test', false],
  ])('allowHosts: [inside.test] and %s: %s', async (name, isAllowed) => {
    await using host = await openLoggedServer(() => ({ body: 'hi' }))
    const { port } = new URL(host.origin)
    const known = scriptedLookup({
      'inside.test': [['127.0.0.1']],
      'inside.test.': [['127.0.0.1']],
      'a.inside.test': [['127.0.0.1']],
    })
    const options = { lookup: known.lookup, allowPrivate: true, allowHosts: ['inside.test'] }

    const fetching = createGuardedFetch(options)(`http://${name}:${port}/`)

    if (isAllowed) expect(await textOf(fetching)).toBe('hi')
    else expect((await failureOf(fetching)).rule).toBe('allowHosts')
  })

  test('denyHosts wins over allowHosts, and an address is denied by any spelling', async () => {
    const guarded = createGuardedFetch({
      lookup,
      allowPrivate: true,
      allowHosts: ['inside.test', '127.0.0.1'],
      denyHosts: ['a.inside.test', '0x7f.1'],
    })

    expect((await failureOf(guarded('http://a.inside.test/'))).rule).toBe('denyHosts')
    expect((await failureOf(guarded('http://2130706433/'))).rule).toBe('denyHosts')
    expect((await failureOf(guarded('http://inside.test/'))).message).toContain(
      'it leads to 127.0.0.1, which is denied',
    )
  })

  test('allowPrivate for one host leaves the others refused', async () => {
    await using host = await openLoggedServer(() => ({ body: 'hi' }))
    const { port } = new URL(host.origin)
    const guarded = createGuardedFetch({ lookup, allowPrivate: ['inside.test'] })

    expect(await textOf(guarded(`http://a.inside.test:${port}/`))).toBe('hi')
    expect((await failureOf(guarded(`http://outside.test:${port}/`))).rule).toBe('allowPrivate')
    expect((await failureOf(guarded(host.origin))).rule).toBe('allowPrivate')
  })

  test.each(['', 'http://example.com/', 'example.com/path', 'example.com:8080', 'a b'])(
    'refuses the entry %j, which is no host',
    (entry) => {
      expect(() => createGuardedFetch({ denyHosts: [entry] })).toThrow('is not a host name')
    },
  )
})

describe('a proxy', () => {
  /** Passes plain requests on, and notes what it was asked for. */
  async function openProxy(target: string) {
    const asked: string[] = []
    const proxy = createServer((request, response) => {
      asked.push(request.url ?? '')
      const path = new URL(request.url ?? '/', target).pathname
      requestHttp(new URL(path, target), (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      }).end()
    })
    proxy.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`)
      socket.end('HTTP/1.1 502 No\r\n\r\n')
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo // it listens on a port
    return {
      url: `http://127.0.0.1:${port}`,
      asked,
      async [Symbol.asyncDispose]() {
        proxy.closeAllConnections()
        await new Promise((resolve) => proxy.close(resolve))
      },
    }
  }

  test('is asked for pages, and for a tunnel to those behind TLS', async () => {
    await using host = await openLoggedServer(() => ({ body: 'from afar' }))
    await using proxy = await openProxy(host.origin)

    const guarded = createGuardedFetch({ proxyUrl: proxy.url })
    const text = await textOf(guarded('http://far.test/page'))
    const error = await failureOf(guarded('https://far.test/page'))

    expect(text).toBe('from afar')
    expect(error.rule).toBe('unreachable')
    expect(proxy.asked).toEqual(['http://far.test/page', 'CONNECT far.test:443'])
  })

  test('is not asked for addresses that are not public, nor behind a redirect', async () => {
    await using host = await openLoggedServer(() => ({
      status: 302,
      headers: { location: 'http://169.254.169.254/' },
    }))
    await using proxy = await openProxy(host.origin)
    const guarded = createGuardedFetch({ proxyUrl: proxy.url })

    expect((await failureOf(guarded('http://10.0.0.1/'))).rule).toBe('allowPrivate')
    expect(proxy.asked).toEqual([])
    expect((await failureOf(guarded('http://far.test/'))).rule).toBe('allowPrivate')
  })

  test('the limits hold behind it too', async () => {
    await using host = await openLoggedServer(() => ({ body: 'x'.repeat(500) }))
    await using proxy = await openProxy(host.origin)

    const guarded = createGuardedFetch({ proxyUrl: proxy.url, maxBytes: 100 })

    expect((await failureOf(guarded('http://far.test/'))).rule).toBe('maxBytes')
  })
})

import { gzipSync } from 'node:zlib'

import { createSafeFetch } from '@parley/auth'
import { describe, expect, test } from 'vitest'

import { openLoggedServer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'

describe('fetching what a peer chose', () => {
  test.each([
    'http://example.com/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::a00:1]/',
    'http://localhost/',
  ])('does not ask %s', async (url) => {
    const error = await authErrorOf(createSafeFetch()(url))

    expect(error.code).toBe('address_refused')
    expect(error.message).not.toContain('secret')
  })

  test('looks at the address a name leads to, where the socket goes', async () => {
    await using server = await openLoggedServer(() => ({ body: {} }))
    const asked: string[] = []
    const guarded = createSafeFetch({
      network: (address) => {
        asked.push(address)
        return false
      },
    })

    const error = await authErrorOf(guarded(server.origin.replace('127.0.0.1', 'localhost')))

    expect(error.code).toBe('address_refused')
    expect(asked).toContain('127.0.0.1')
    expect(server.seen).toEqual([])
  })

  test('sends what it is told and gives back what comes', async () => {
    await using server = await openLoggedServer(() => ({
      status: 201,
      headers: { 'x-a': 'b' },
      body: { c: 1 },
    }))
    const safe = createSafeFetch({ network: 'loopback' })

    const response = await safe(`${server.origin}/path?x=1`, {
      method: 'POST',
      body: new URLSearchParams({ a: 'b c' }),
      headers: { 'x-mine': '1' },
    })

    expect(response.status).toBe(201)
    expect(response.headers.get('x-a')).toBe('b')
    expect(await response.json()).toEqual({ c: 1 })
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      path: '/path',
      body: 'a=b+c',
      headers: { 'x-mine': '1', 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    })
  })

  test('takes a Request too', async () => {
    await using server = await openLoggedServer(() => ({ body: {} }))

    const request = new Request(`${server.origin}/x`, { method: 'PUT', body: 'text' })
    await createSafeFetch({ network: 'any' })(request)

    expect(server.seen[0]).toMatchObject({ method: 'PUT', path: '/x', body: 'text' })
  })

  test('follows three redirects, checks each, and takes no credentials to another origin', async () => {
    await using other = await openLoggedServer(() => ({ body: { there: true } }))
    await using server = await openLoggedServer(({ path }) => {
      if (path === '/1') return { status: 302, headers: { location: '/2' } }
      if (path === '/2') return { status: 307, headers: { location: `${other.origin}/3` } }
      return { status: 302, headers: { location: path } }
    })
    const safe = createSafeFetch({ network: 'loopback' })

    const response = await safe(`${server.origin}/1`, {
      headers: { authorization: 'Bearer x', accept: 'a/b' },
    })

    expect(await response.json()).toEqual({ there: true })
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer x',
      'Bearer x',
    ])
    expect(other.seen[0]?.headers).toMatchObject({ accept: 'a/b' })
    expect(other.seen[0]?.headers.authorization).toBeUndefined()
    expect((await authErrorOf(safe(`${server.origin}/loop`))).code).toBe('address_refused')
  })

  test('a redirect to an address that is not allowed is not followed', async () => {
    await using server = await openLoggedServer(() => ({
      status: 302,
      headers: { location: 'http://169.254.169.254/' },
    }))

    const error = await authErrorOf(createSafeFetch({ network: 'loopback' })(server.origin))

    expect(error.code).toBe('address_refused')
  })

  test('a POST, and who asks for it, gets the redirect itself', async () => {
    await using server = await openLoggedServer(() => ({
      status: 302,
      headers: { location: '/2' },
    }))
    const safe = createSafeFetch({ network: 'loopback' })

    expect((await safe(server.origin, { method: 'POST' })).status).toBe(302)
    expect((await safe(server.origin, { redirect: 'manual' })).status).toBe(302)
    expect(server.seen).toHaveLength(2)
  })

  test.each([
    ['sent as it is', {}, (text: string) => text],
    ['packed', { 'content-encoding': 'gzip' }, (text: string) => gzipSync(text)],
  ])('stops at the limit, counted unpacked: %s', async (_, headers, pack) => {
    await using server = await openLoggedServer((seen, { response }) => {
      response.writeHead(200, headers)
      response.end(pack('a'.repeat(seen.path === '/large' ? 2001 : 2000)))
      return undefined
    })
    const safe = createSafeFetch({ network: 'loopback', maxBytes: 2000 })

    expect((await (await safe(`${server.origin}/fits`)).text()).length).toBe(2000)
    expect((await authErrorOf(safe(`${server.origin}/large`))).code).toBe('metadata_invalid')
  })

  test('does not wait for ever, neither for an answer nor for its end', async () => {
    await using server = await openLoggedServer((seen, { response }) => {
      if (seen.path === '/half') response.write('{')
      return new Promise<undefined>(() => {})
    })
    const safe = createSafeFetch({ network: 'loopback', timeoutMs: 50 })

    expect((await authErrorOf(safe(`${server.origin}/none`))).code).toBe('unreachable')
    expect((await authErrorOf(safe(`${server.origin}/half`))).code).toBe('unreachable')
  })

  test('whoever asked can give up', async () => {
    await using server = await openLoggedServer(() => new Promise<undefined>(() => {}))
    const controller = new AbortController()
    const reason = new Error('enough')

    const answer = createSafeFetch({ network: 'loopback' })(server.origin, {
      signal: controller.signal,
    })
    controller.abort(reason)

    await expect(answer).rejects.toBe(reason)
  })

  test('says that nobody is there', async () => {
    const error = await authErrorOf(createSafeFetch({ network: 'any' })('http://127.0.0.1:1/'))

    expect(error.code).toBe('unreachable')
  })
})

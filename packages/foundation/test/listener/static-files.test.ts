import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { listen } from './listening.ts'

describe('paths', () => {
  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/assets/../../secret.txt',
    '/./index.html',
    '//index.html',
    '/assets//main-Ab12Cd34.js',
    '/link.txt',
    '/.hidden',
    '/index.html%00.js',
    '/index.html/',
    '/assets',
    '/%ff',
    '/index.html;x',
    '/C:/secret.txt',
    '/missing.js',
  ])('%s leads nowhere', async (path) => {
    await using listening = await listen()

    const answer = await listening.send({ path })

    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain('outside')
    expect(answer.text).not.toContain('hidden')
  })

  test('an address instead of a path is refused', async () => {
    await using listening = await listen()

    const answer = await listening.send({ path: `http://attacker.example/` })

    expect(answer.status).toBe(404)
  })
})

test('every answer forbids what a page does not need', async () => {
  await using listening = await listen()

  for (const path of ['/', '/missing', '/api/look']) {
    const { headers } = await listening.send({ path })

    expect(headers['content-security-policy']).toContain("default-src 'self'")
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['x-frame-options']).toBe('DENY')
  }
})

describe('how files are sent', () => {
  test('what has its hash in its name is kept for good, the rest is asked for again', async () => {
    await using listening = await listen()

    const page = await listening.send({ path: '/' })
    const script = await listening.send({ path: '/assets/main-Ab12Cd34.js' })
    const again = await listening.send({
      path: '/',
      headers: { 'if-none-match': String(page.headers.etag) },
    })

    expect(page.headers['cache-control']).toBe('no-cache')
    expect(script.headers['cache-control']).toContain('immutable')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('a new build is seen at once', async () => {
    await using listening = await listen()
    await listening.send({ path: '/' })
    await writeFile(
      join(listening.folder, 'index.html'),
      '<!doctype html><title>newer page</title>',
    )

    expect((await listening.send({ path: '/' })).text).toContain('newer')
  })

  test('text is compressed for who takes that', async () => {
    await using listening = await listen()
    const url = new URL('/assets/main-Ab12Cd34.js', listening.listener.url)

    const plain = await listening.send({ path: url.pathname })
    const compressed = await listening.send({
      path: url.pathname,
      headers: { 'accept-encoding': 'gzip' },
    })
    const refused = await listening.send({
      path: url.pathname,
      headers: { 'accept-encoding': 'gzip;q=0' },
    })
    const fetched = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })

    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(Number(compressed.headers['content-length'])).toBeLessThan(plain.text.length)
    expect(refused.headers['content-encoding']).toBeUndefined()
    expect(await fetched.text()).toBe(plain.text)
  })

  test('what the build compressed already is taken', async () => {
    await using listening = await listen()
    await writeFile(join(listening.folder, 'assets', 'main-Ab12Cd34.js.br'), 'compressed before')

    const answer = await listening.send({
      path: '/assets/main-Ab12Cd34.js',
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    })

    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.text).toBe('compressed before')
    expect(() => gunzipSync(answer.text)).toThrow()
  })

  test('what is there only compressed is unpacked for those who need it', async () => {
    await using listening = await listen()
    const text = 'let a = 1\n'.repeat(500)
    await writeFile(
      join(listening.folder, 'assets', 'more-Ab12Cd34.js.br'),
      brotliCompressSync(text),
    )
    const path = '/assets/more-Ab12Cd34.js'

    const plain = await listening.send({ path })
    const packed = await listening.send({ path, headers: { 'accept-encoding': 'br' } })
    const none = await listening.send({ path: '/assets/none-Ab12Cd34.js' })

    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(plain.text).toBe(text)
    expect(packed.headers['content-encoding']).toBe('br')
    expect(Number(packed.headers['content-length'])).toBeLessThan(100)
    expect(none.status).toBe(404)
  })

  test('HEAD says the same without the file', async () => {
    await using listening = await listen()

    const answer = await listening.send({ method: 'HEAD', path: '/' })

    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(0)
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE'])('%s is not used', async (method) => {
    await using listening = await listen()

    expect((await listening.send({ method, path: '/' })).status).toBe(405)
  })
})

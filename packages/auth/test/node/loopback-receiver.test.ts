import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'

import { openLoopbackReceiver } from '../../src/node/loopback-receiver.ts'

const { signal } = new AbortController()

describe('waiting for the browser', () => {
  test('on loopback, at a port and path nobody can guess [ASEC-09]', async () => {
    await using one = await openLoopbackReceiver(undefined)
    await using two = await openLoopbackReceiver(undefined)

    expect(one.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{36}$/)
    expect(new URL(one.redirectUri).pathname).not.toBe(new URL(two.redirectUri).pathname)
  })

  test('gives the callback, and the person a page that loads and tells nothing', async () => {
    await using receiver = await openLoopbackReceiver(undefined)
    const callback = receiver.receive(signal, 's')

    const page = await fetch(`${receiver.redirectUri}?code=c&state=s`)

    expect((await callback).searchParams.get('code')).toBe('c')
    expect(page.status).toBe(200)
    expect(await page.text()).not.toContain('code')
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })

  test('takes nothing else for the callback, and goes on waiting [ASEC-13]', async () => {
    await using receiver = await openLoopbackReceiver(undefined)
    const callback = receiver.receive(signal, 's')
    const { origin } = new URL(receiver.redirectUri)
    const statuses = []

    for (const [url, init] of [
      [`${origin}/callback?code=x&state=s`, {}],
      [`${receiver.redirectUri}?code=x`, {}],
      [`${receiver.redirectUri}?code=x&state=other`, {}],
      [`${receiver.redirectUri}?code=x&state=s`, { method: 'POST' }],
      [`${receiver.redirectUri}?code=right&state=s`, {}],
      [`${receiver.redirectUri}?code=again&state=s`, {}],
    ] as const) {
      statuses.push((await fetch(url, init)).status)
    }

    expect(statuses).toEqual([404, 404, 404, 404, 200, 404])
    expect((await callback).searchParams.get('code')).toBe('right')
  })

  test('at a registered address, by any name of this machine', async () => {
    await using fixed = await openLoopbackReceiver('http://127.0.0.1/cb')
    await using named = await openLoopbackReceiver('http://localhost/cb')

    expect(fixed.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/cb$/)
    expect(named.redirectUri).toMatch(/^http:\/\/localhost:\d+\/cb$/)
    const callback = named.receive(signal, 's')
    await fetch(`${named.redirectUri}?code=c&state=s`)
    expect((await callback).href).toBe(`${named.redirectUri}?code=c&state=s`)
  })

  test('at another port if the registered one is taken', async () => {
    const taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo // it listens on a port

    await using receiver = await openLoopbackReceiver(`http://127.0.0.1:${port}/cb`)
    taken.close()

    expect(new URL(receiver.redirectUri)).toMatchObject({ hostname: '127.0.0.1', pathname: '/cb' })
    expect(new URL(receiver.redirectUri).port).not.toBe(String(port))
  })

  test('not on another machine', async () => {
    await expect(openLoopbackReceiver('https://app.example.com/cb')).rejects.toMatchObject({
      code: 'sign_in_cancelled',
    })
  })

  test('until it is given up, and then nobody listens', async () => {
    const controller = new AbortController()
    const receiver = await openLoopbackReceiver(undefined)
    const callback = receiver.receive(controller.signal, 's')
    controller.abort(new Error('enough'))

    await expect(callback).rejects.toThrow('enough')
    await receiver[Symbol.asyncDispose]()
    await expect(fetch(receiver.redirectUri)).rejects.toThrow()
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { platform } from '../../src/node/interactive.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

afterEach(() => vi.restoreAllMocks())

describe('signing in on a machine of one’s own', () => {
  test('with a listener on loopback and nothing to configure', async () => {
    await using world = await openWorld()
    const auth = browserAuth({
      store: createMemoryTokenStore(),
      open: async (url) => void (await fetch(url)), // a browser follows the redirect to the listener
    })

    await (await connect(world.server.url, { auth, protocolVersion: 'legacy' })).close()

    const redirect = world.issuer.at('/authorize')[0]?.query.get('redirect_uri') ?? ''
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/[\w-]{36}$/)
    expect(JSON.parse(world.issuer.at('/register')[0]?.body ?? '')).toMatchObject({
      redirect_uris: [redirect],
      application_type: 'native',
    })
  })

  test('comes back to the registered path, at another port if need be, without registering again', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const open = async (url: URL) => void (await fetch(url))
    for (const account of ['ann', 'bob']) {
      const auth = browserAuth({ store, open, account })
      await (await connect(world.server.url, { auth, protocolVersion: 'legacy' })).close()
    }

    const paths = world.issuer
      .at('/authorize')
      .map(({ query }) => new URL(query.get('redirect_uri') ?? '').pathname)
    expect(new Set(paths).size).toBe(1)
    expect(world.issuer.at('/register')).toHaveLength(1)
  })

  test('for a client id that was given, comes back to an address that can be registered by hand', async () => {
    await using world = await openWorld()
    const open = async (url: URL) => void (await fetch(url))
    const auth = browserAuth({ store: createMemoryTokenStore(), open, clientId: 'by-hand' })

    await (await connect(world.server.url, { auth, protocolVersion: 'legacy' })).close()

    const redirect = world.issuer.at('/authorize')[0]?.query.get('redirect_uri')
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  })

  test('where there is no browser to open, it says what to give', async () => {
    const elsewhere = await import('../../src/node/interactive-unsupported.ts')

    for (const attempt of [
      elsewhere.platform.openReceiver(undefined),
      elsewhere.platform.showUrl(new URL('https://as.example')),
    ]) {
      await expect(attempt).rejects.toMatchObject({
        code: 'sign_in_cancelled',
        hint: expect.stringContaining('begin()'),
      })
    }
    expect(await elsewhere.openDefaultStore()).toHaveProperty('withLock')
  })

  test('two who sign in at once see one page', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const visited: URL[] = []
    const open = async (url: URL) => {
      visited.push(url)
      await fetch(url)
    }
    const joins = [1, 2, 3].map(() =>
      connect(world.server.url, { auth: browserAuth({ store, open }), protocolVersion: 'legacy' }),
    )

    for (const client of await Promise.all(joins)) await client.close()

    expect(visited).toHaveLength(1)
  })

  test('nobody comes: it is given up, and what was registered is not trusted any longer', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const first = browserAuth({ store, timeoutMs: 30, open: () => {} })

    const error = await authErrorOf(
      connect(world.server.url, { auth: first, protocolVersion: 'legacy' }),
    )

    expect(error.code).toBe('sign_in_timeout')
    const second = browserAuth({ store, timeoutMs: 30, open: () => {} })
    await authErrorOf(connect(world.server.url, { auth: second, protocolVersion: 'legacy' }))
    const third = browserAuth({ store, open: async (url) => void (await fetch(url)) })
    await (await connect(world.server.url, { auth: third, protocolVersion: 'legacy' })).close()
    expect(world.issuer.at('/register')).toHaveLength(2)
  })

  test('without a screen the address is printed, not opened', async () => {
    vi.stubEnv('SSH_CONNECTION', '1 2 3 4')
    const printed = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)

    await platform.showUrl(new URL('https://as.example/authorize?x=1'))

    expect(printed.mock.calls.join()).toContain('https://as.example/authorize?x=1')
    vi.unstubAllEnvs()
  })

  testOnPosix('where the opener finds no browser the address is printed after all', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-opener-'))
    for (const name of ['xdg-open', 'open']) {
      await writeFile(join(folder, name), '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    }
    vi.stubEnv('PATH', folder)
    vi.stubEnv('DISPLAY', ':9')
    for (const name of ['SSH_CONNECTION', 'SSH_TTY', 'CI']) vi.stubEnv(name, '')
    const printed = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)

    await platform.showUrl(new URL('https://as.example/authorize?x=2'))

    await vi.waitFor(() => {
      expect(printed.mock.calls.join()).toContain('https://as.example/authorize?x=2')
    })
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })

  test('patience is part of connecting', () => {
    expect(browserAuth({ store: createMemoryTokenStore(), timeoutMs: 1000 }).signInMs).toBe(1000)
  })

  test('what cannot work is said before anything is asked', () => {
    expect(() => browserAuth({ receive: async () => new URL('https://x.example') })).toThrow(
      /redirectUri/,
    )
    expect(() => browserAuth({ redirectUri: 'http://app.example.com/cb' })).toThrow(/localhost/)
  })
})

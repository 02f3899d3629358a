import { createSafeFetch } from '@parley/auth'
import { beginSignIn, createMemoryTokenStore } from '@parley/auth/client'
import { describe, expect, test } from 'vitest'

import { openLoggedServer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

const redirectUri = 'https://app.example.com/callback'
const metadata = 'http://169.254.169.254/latest/meta-data'

describe('SSRF: a server has us ask others', () => {
  test.each([
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'http://metadata.example/',
    'file:///etc/passwd',
    'gopher://x.example/',
  ])('an issuer at %s is not asked [SECX-07]', async (issuer) => {
    await using world = await openWorld({
      server: { metadata: (plain) => ({ ...plain, authorization_servers: [issuer] }) },
    })

    expect((await authErrorOf(world.connect())).code).toBe('address_refused')
  })

  test.each([
    'https://169.254.169.254/',
    'https://[fd00::1]/',
    'https://0x0a000001/',
    'https://[::ffff:10.0.0.1]/',
  ])('on a server, not at %s either [SECX-06] [SECX-07]', async (issuer) => {
    await using world = await openWorld({
      server: { metadata: (plain) => ({ ...plain, authorization_servers: [issuer] }) },
    })

    const error = await authErrorOf(
      beginSignIn(world.server.url, { redirectUri, store: createMemoryTokenStore() }),
    )

    expect(error.code).toBe('address_refused')
  })

  test('a name that leads inside is refused where the socket goes, so it cannot lead elsewhere when it is looked up', async () => {
    await using inside = await openLoggedServer(() => ({ body: {} }))
    const url = inside.origin.replace('http://127.0.0.1', 'https://localhost')

    const error = await authErrorOf(createSafeFetch({ network: 'public' })(url))

    expect(error.code).toBe('address_refused')
    expect(inside.connections()).toBe(0)
  })

  test.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
    'a redirect from %s is not followed [SECX-07]',
    async (path) => {
      await using world = await openWorld({
        server: {
          metadataAt: [],
          challenge: () => undefined,
          answer: (seen) =>
            seen.path === path ? { status: 302, headers: { location: metadata } } : undefined,
        },
      })

      expect((await authErrorOf(world.connect())).code).toBe('address_refused')
    },
  )

  test('a redirect of an issuer is not followed', async () => {
    await using world = await openWorld({
      issuer: {
        answer: ({ path }) =>
          path.startsWith('/.well-known')
            ? { status: 302, headers: { location: metadata } }
            : undefined,
      },
    })

    expect((await authErrorOf(world.connect())).code).toBe('address_refused')
  })

  test.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])(
    'an %s inside is not used',
    async (name) => {
      await using world = await openWorld({
        issuer: { metadata: (plain) => ({ ...plain, [name]: metadata }) },
      })

      expect((await authErrorOf(world.connect())).code).toBe('metadata_invalid')
      expect(world.issuer.at('/register')).toEqual([])
    },
  )

  test('keys, logos and policies that metadata names are not fetched at all', async () => {
    await using bait = await openLoggedServer(() => ({ body: { keys: [] } }))
    await using world = await openWorld({
      issuer: {
        metadata: (plain) => ({
          ...plain,
          jwks_uri: `${bait.origin}/jwks`,
          op_policy_uri: `${bait.origin}/policy`,
          userinfo_endpoint: `${bait.origin}/userinfo`,
        }),
      },
      server: {
        metadata: (plain) => ({
          ...plain,
          jwks_uri: `${bait.origin}/jwks`,
          resource_policy_uri: bait.origin,
        }),
      },
    })

    await (await world.connect()).close()

    expect(bait.seen).toEqual([])
  })

  test('a document without end is not read to its end', async () => {
    await using world = await openWorld({
      server: {
        metadataAt: [],
        answer: ({ path }) =>
          path.startsWith('/.well-known')
            ? { body: { resource: 'x'.repeat(1_000_000) } }
            : undefined,
      },
      issuer: { metadataAt: [] },
    })

    expect((await authErrorOf(world.connect())).code).not.toBe('resource_mismatch')
  })
})

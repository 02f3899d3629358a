import { describe, expect, test } from 'vitest'

import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

describe('redirect tampering: the answer is led elsewhere', () => {
  test.each<[string, (url: URL) => URL]>([
    ['another host', (url) => new URL(url.href.replace('127.0.0.1', 'evil.example'))],
    ['another port', (url) => new URL(url.href.replace(':3000', ':3001'))],
    ['another path', (url) => new URL(url.href.replace('/callback', '/callback/x'))],
    ['another scheme', (url) => new URL(url.href.replace('http:', 'https:'))],
  ])('a callback to %s is not taken [ASEC-11]', async (_, callback) => {
    await using world = await openWorld({ callback })

    expect((await authErrorOf(world.connect())).code).toBe('state_mismatch')
    expect(world.issuer.at('/token')).toEqual([])
  })

  test('an issuer that registers another redirect than ours is not used', async () => {
    await using world = await openWorld({
      issuer: {
        answer: ({ path }) =>
          path === '/register'
            ? {
                status: 201,
                body: { client_id: 'c', redirect_uris: ['https://evil.example/callback'] },
              }
            : undefined,
      },
    })

    expect((await authErrorOf(world.connect())).code).toBe('registration_refused')
    expect(world.person.visited).toEqual([])
  })

  test('redirects are asked for, registered and repeated in the same words [ASEC-11]', async () => {
    await using world = await openWorld()
    await (await world.connect()).close()

    const registered = JSON.parse(world.issuer.at('/register')[0]?.body ?? '') as {
      redirect_uris: string[]
    } // ours
    expect(world.issuer.at('/authorize')[0]?.query.get('redirect_uri')).toBe(
      registered.redirect_uris[0],
    )
    expect(world.issuer.at('/token')[0]?.form.get('redirect_uri')).toBe(registered.redirect_uris[0])
  })

  test('the token endpoint cannot send code and verifier on to somebody else', async () => {
    await using evil = await openWorld()
    await using world = await openWorld({
      issuer: {
        answer: ({ path }) =>
          path === '/token'
            ? { status: 307, headers: { location: `${evil.issuer.issuer}/token` } }
            : undefined,
      },
    })

    expect((await authErrorOf(world.connect())).code).toBe('token_refused')
    expect(evil.issuer.seen).toEqual([])
  })
})

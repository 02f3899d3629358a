import { describe, expect, test } from 'vitest'

import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

describe('code injection: a code of somebody else’s sign-in is slipped in', () => {
  test('it does not fit the verifier, so the issuer refuses it and nothing is kept [ASEC-10]', async () => {
    let stolen = ''
    await using world = await openWorld({
      callback: (url) => {
        if (stolen === '') stolen = url.searchParams.get('code') ?? ''
        else url.searchParams.set('code', stolen)
        return url
      },
    })
    const first = await authErrorOf(
      world.connect({
        fetch: async (url, init) => {
          if (typeof url === 'string' && url.endsWith('/token')) throw new Error('cut')
          return fetch(url, init)
        },
      }),
    )
    expect(first.code).toBe('unreachable') // the victim's code was never spent

    const error = await authErrorOf(world.connect())

    expect(error).toMatchObject({ code: 'token_refused', step: 'token' })
    expect(world.issuer.tokens.size).toBe(0)
    expect(
      await world.store.get({
        kind: 'grant',
        issuer: world.issuer.issuer,
        resource: world.server.url,
      }),
    ).toBeUndefined()
  })

  test('every sign-in has a verifier and a state of its own', async () => {
    await using world = await openWorld()
    await (await world.connect({ account: 'ann' })).close()
    await (await world.connect({ account: 'bob' })).close()

    const challenges = world.issuer.at('/authorize').map(({ query }) => query.get('code_challenge'))
    const states = world.issuer.at('/authorize').map(({ query }) => query.get('state'))
    const verifiers = world.issuer.at('/token').map(({ form }) => form.get('code_verifier'))
    expect(new Set([...challenges, ...states, ...verifiers]).size).toBe(6)
  })
})

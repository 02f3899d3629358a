import { describe, expect, test } from 'vitest'

import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

describe('PKCE downgrade: an issuer, or who speaks for it, does without', () => {
  test.each<[string, unknown]>([
    ['says nothing about it', undefined],
    ['can only do plain', ['plain']],
    ['lists nothing', []],
    ['writes it otherwise', 'S256'],
    ['writes it in lower case', ['s256']],
  ])('an issuer that %s is not signed in at [N11-AUTH-17] [ASEC-01]', async (_, methods) => {
    await using world = await openWorld({
      issuer: {
        metadata: (metadata) => ({ ...metadata, code_challenge_methods_supported: methods }),
      },
    })

    const error = await authErrorOf(world.connect())

    expect(error.code).toBe('pkce_unsupported')
    expect(error.hint).toContain('assumePkceS256')
    expect(world.person.visited).toEqual([])
  })

  test('one that can do both is asked for the better, with a verifier of 256 bits [AINH-09] [ASEC-10] [R0326A-19]', async () => {
    await using world = await openWorld({
      issuer: {
        metadata: (metadata) => ({
          ...metadata,
          code_challenge_methods_supported: ['plain', 'S256'],
        }),
      },
    })

    await (await world.connect()).close()

    expect(world.person.visited[0]?.searchParams.get('code_challenge_method')).toBe('S256')
    expect(world.issuer.at('/token')[0]?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  })

  test('parameters of the user cannot take it away', async () => {
    await using world = await openWorld()
    const authorizeParams = {
      code_challenge_method: 'plain',
      code_challenge: 'x',
      state: 'x',
      redirect_uri: 'https://evil.example',
    }

    await (await world.connect({ issuers: { [world.issuer.issuer]: { authorizeParams } } })).close()

    expect(Object.fromEntries(world.person.visited[0]?.searchParams ?? [])).toMatchObject({
      code_challenge_method: 'S256',
      redirect_uri: 'http://127.0.0.1:3000/callback',
    })
  })
})

import { beginSignIn, completeSignIn, createMemoryTokenStore } from '@parley/auth/client'
import { describe, expect, test } from 'vitest'

import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

const redirectUri = 'https://app.example.com/callback'

function changed(name: string, value: string | undefined) {
  return (url: URL) => {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    return url
  }
}

describe('state and iss: answers that are not ours', () => {
  test.each([
    ['no state', changed('state', undefined), 'state_mismatch'],
    ['another state', changed('state', 'x'.repeat(43)), 'state_mismatch'],
    ['another issuer', changed('iss', 'https://evil.example'), 'issuer_mismatch'],
    ['no code', changed('code', undefined), 'state_mismatch'],
  ])('%s ends before any request [ASEC-13] [N07-AUTH-03]', async (_, callback, code) => {
    await using world = await openWorld({ callback })

    expect((await authErrorOf(world.connect())).code).toBe(code)
    expect(world.issuer.at('/token')).toEqual([])
  })

  test('the error of a stranger is not repeated to anybody', async () => {
    await using world = await openWorld({
      callback: (url) => {
        url.search = new URLSearchParams({
          error: 'access_denied',
          error_description: 'call this number',
          state: url.searchParams.get('state') ?? '',
          iss: 'https://evil.example',
        }).toString()
        return url
      },
    })

    const error = await authErrorOf(world.connect())

    expect(error.code).toBe('issuer_mismatch')
    expect(JSON.stringify(error) + error.message + String(error.hint)).not.toContain('number')
  })
})

describe('replay: an answer that was used', () => {
  test('does not count a second time', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const signIn = await beginSignIn(world.server.url, { redirectUri, store })
    const page = await fetch(signIn.authorizationUrl, { redirect: 'manual' })
    const callback = page.headers.get('location') ?? ''
    await completeSignIn(signIn, callback, { store })

    const error = await authErrorOf(completeSignIn(signIn, callback, { store }))

    expect(error.message).toContain('already been completed')
    expect(world.issuer.at('/token')).toHaveLength(1)
  })

  test('nor for the sign-in of somebody else', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const [victim, attacker] = [
      await beginSignIn(world.server.url, { redirectUri, store }),
      await beginSignIn(world.server.url, { redirectUri, store }),
    ]
    const page = await fetch(attacker.authorizationUrl, { redirect: 'manual' })
    const callback = page.headers.get('location') ?? ''

    expect((await authErrorOf(completeSignIn(victim, callback, { store }))).code).toBe(
      'state_mismatch',
    )
    expect(world.issuer.at('/token')).toEqual([])
  })
})

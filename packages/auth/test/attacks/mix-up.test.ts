import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { openGuardedServer } from '../support/guarded-server.ts'
import { createPerson } from '../support/person.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openScriptedIssuer, type IssuerScript } from '../support/scripted-issuer.ts'

/** An attacker's issuer that sends the person on to an honest one, to be given its code. */
async function mixUp(honest: IssuerScript) {
  await using honestIssuer = await openScriptedIssuer(honest)
  await using attacker = await openScriptedIssuer({
    answer: ({ path, query }) =>
      path === '/authorize'
        ? {
            status: 302,
            headers: { location: `${honestIssuer.issuer}/authorize?${query.toString()}` },
          }
        : undefined,
  })
  await using server = await openGuardedServer({ issuers: [attacker] })
  const person = createPerson()
  const open = async (url: URL) => {
    const page = await fetch(url, { redirect: 'manual' })
    await person.open?.(new URL(page.headers.get('location') ?? ''))
  }
  const auth = browserAuth({ ...person, open, store: createMemoryTokenStore() })
  const error = await authErrorOf(connect(server.url, { auth, protocolVersion: 'legacy' }))
  return { error, atAttacker: attacker.at('/token'), atHonest: honestIssuer.at('/token') }
}

describe('mix-up: the answer of one issuer is taken for that of another', () => {
  test('an honest issuer names itself, and the code goes nowhere [N07-AUTH-02] [N07-AUTH-03]', async () => {
    const { error, atAttacker, atHonest } = await mixUp({
      callback: (url) => {
        url.searchParams.set('iss', 'https://honest.example')
        return url
      },
    })

    expect(error).toMatchObject({ code: 'issuer_mismatch', step: 'callback' })
    expect(atAttacker).toEqual([])
    expect(atHonest).toEqual([])
  })

  test('an issuer that promises its name and does not give it is not believed', async () => {
    await using issuer = await openScriptedIssuer({
      metadata: (metadata) => ({
        ...metadata,
        authorization_response_iss_parameter_supported: true,
      }),
    })
    await using server = await openGuardedServer({ issuers: [issuer] })
    const auth = browserAuth({ ...createPerson(), store: createMemoryTokenStore() })

    const error = await authErrorOf(connect(server.url, { auth, protocolVersion: 'legacy' }))

    expect(error.code).toBe('issuer_mismatch')
    expect(issuer.at('/token')).toEqual([])
  })
})

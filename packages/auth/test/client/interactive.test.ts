import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { interactive } from '../../src/client/interactive.ts'
import { memoryStore } from '../../src/client/memory-store.ts'
import { openGuardedServer } from '../support/guarded-server.ts'
import { createPerson } from '../support/person.ts'
import { openScriptedIssuer } from '../support/scripted-issuer.ts'

describe('a person signs in', () => {
  test('with nothing but the URL of the server: registers, signs in, and every request carries the token [AUTH-02] [AUTH-05] [AUTH-09] [AUTH-11] [ADCR-01] [AUTH-07] [ATOK-01] [ATOK-02] [ATOK-03] [ATOK-04] [R0326A-03] [R0326A-14]', async () => {
    await using issuer = await openScriptedIssuer()
    await using server = await openGuardedServer({ issuers: [issuer] })
    const person = createPerson()
    const client = await connect(server.url, {
      auth: interactive({ ...person, store: memoryStore() }),
      era: 'legacy',
    })

    const result = await client.callTool('note', {})
    await client.close()

    expect(result.content).toMatchObject([{ text: 'noted' }])
    const [token] = issuer.tokens.keys()
    const [first, ...others] = server.calls()
    expect(first?.headers.authorization).toBeUndefined()
    expect(new Set(others.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${token}`]),
    )
    expect(new Set(others.map(({ method }) => method))).toContain('DELETE')
    expect(server.seen.every(({ query }) => query.size === 0)).toBe(true)
    expect(issuer.paths()).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'POST /register',
      'GET /authorize',
      'POST /token',
    ])
  })
})

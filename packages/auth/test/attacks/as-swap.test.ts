import {
  clientCredentialsAuth,
  browserAuth,
  type BrowserAuthOptions,
  createMemoryTokenStore,
} from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { openGuardedServer } from '../support/guarded-server.ts'
import { createPerson } from '../support/person.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openScriptedIssuer } from '../support/scripted-issuer.ts'

/** A server whose metadata names another issuer from some moment on. */
async function openSwapped() {
  const first = await openScriptedIssuer()
  const second = await openScriptedIssuer()
  const issuers = [first]
  const server = await openGuardedServer({ issuers })
  return {
    first,
    second,
    server,
    swap() {
      issuers.splice(0, 1, second)
    },
    async [Symbol.asyncDispose]() {
      for (const one of [server, first, second]) await one[Symbol.asyncDispose]()
    },
  }
}

describe('AS swap: a server names another issuer than before', () => {
  test('nothing that was of the first goes to the second: registration, refresh token, access token [N07-AUTH-05] [ATOK-09]', async () => {
    await using world = await openSwapped()
    const options: BrowserAuthOptions = { ...createPerson(), store: createMemoryTokenStore() }
    const client = await connect(world.server.url, {
      auth: browserAuth(options),
      protocolVersion: 'legacy',
    })
    world.swap()

    await client.callTool('note', {})
    await client.close()

    const given = [...world.first.tokens.keys(), ...world.first.refreshTokens.keys()]
    const sent = world.second.seen.map(
      ({ body, headers, query }) => `${body} ${JSON.stringify(headers)} ${query.toString()}`,
    )
    expect(world.second.paths()).toEqual([
      'GET /.well-known/oauth-authorization-server',
      'POST /register',
      'GET /authorize',
      'POST /token',
    ])
    expect(given.length).toBeGreaterThan(0)
    expect(given.filter((secret) => sent.some((text) => text.includes(secret)))).toEqual([])
    expect(world.first.at('/token')).toHaveLength(1)
  })

  test('an id and secret that were given for the first are not shown to the second [N07-AUTH-05]', async () => {
    await using world = await openSwapped()
    const options: BrowserAuthOptions = {
      ...createPerson(),
      store: createMemoryTokenStore(),
      clientId: 'mine',
      clientSecret: 'canary',
    }
    await (
      await connect(world.server.url, { auth: browserAuth(options), protocolVersion: 'legacy' })
    ).close()
    world.swap()

    const error = await authErrorOf(
      connect(world.server.url, { auth: browserAuth(options), protocolVersion: 'legacy' }),
    )

    expect(error).toMatchObject({ code: 'issuer_mismatch', step: 'registration' })
    expect(error.hint).toContain(`'${world.second.issuer}'`)
    expect(JSON.stringify(world.second.seen)).not.toContain('canary')
    expect(world.second.at('/authorize')).toEqual([])
  })

  test('neither are those of a program', async () => {
    await using world = await openSwapped()
    const auth = clientCredentialsAuth({ clientId: 'job', clientSecret: 'canary' })
    await (await connect(world.server.url, { auth, protocolVersion: 'legacy' })).close()
    world.swap()

    expect(
      (await authErrorOf(connect(world.server.url, { auth, protocolVersion: 'legacy' }))).code,
    ).toBe('issuer_mismatch')
    expect(world.second.at('/token')).toEqual([])
  })

  test('a document about the client is the same everywhere', async () => {
    await using first = await openScriptedIssuer({
      metadata: (metadata) => ({ ...metadata, client_id_metadata_document_supported: true }),
    })
    await using second = await openScriptedIssuer({
      metadata: (metadata) => ({ ...metadata, client_id_metadata_document_supported: true }),
    })
    const issuers = [first]
    await using server = await openGuardedServer({ issuers })
    const options: BrowserAuthOptions = {
      ...createPerson(),
      store: createMemoryTokenStore(),
      clientId: 'https://app.example.com/client.json',
    }
    await (
      await connect(server.url, { auth: browserAuth(options), protocolVersion: 'legacy' })
    ).close()
    issuers.splice(0, 1, second)

    await (
      await connect(server.url, { auth: browserAuth(options), protocolVersion: 'legacy' })
    ).close()

    expect(second.at('/authorize')[0]?.query.get('client_id')).toBe(
      'https://app.example.com/client.json',
    )
  })
})

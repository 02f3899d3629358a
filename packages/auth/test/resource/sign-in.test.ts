import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { createPerson } from '../support/person.ts'
import { listenProtected, openTellingIssuer } from './listening-server.ts'

test.each(['legacy', 'modern'] as const)(
  'our client signs in, steps up when a tool needs more, and goes on (%s) [N11-AUTH-15] [N07-AUTH-09]',
  async (protocolVersion) => {
    const { issuer, protect } = await openTellingIssuer()
    await using _ = issuer
    await using server = await listenProtected({ ...protect, scopes: ['notes:read'] })
    const person = createPerson()
    const auth = browserAuth({ ...person, store: createMemoryTokenStore() })
    await using client = await connect(server.url, { auth, protocolVersion })

    const first = await client.callTool('who')
    const scopes = person.visited.map((url) => url.searchParams.get('scope'))
    const second = await client.callTool('write')

    expect(first.content).toMatchObject([{ text: 'ada by client-1' }])
    expect(scopes).toEqual(['notes:read'])
    expect(second.content).toMatchObject([{ text: 'written' }])
    expect(person.visited[1]?.searchParams.get('scope')?.split(' ').toSorted()).toEqual([
      'notes:read',
      'notes:write',
    ])
    expect(
      person.visited.every((url) => url.searchParams.get('resource') === server.url.href),
    ).toBe(true)
  },
)

/** Keeps what the official clients want kept, and signs in by following the issuer's redirect. */
function createProvider() {
  const kept: Record<string, never> = {}
  let code = ''
  return {
    code: () => code,
    provider: {
      redirectUrl: 'http://127.0.0.1:3000/callback',
      clientMetadata: {
        client_name: 'official',
        redirect_uris: ['http://127.0.0.1:3000/callback'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => kept['client'],
      saveClientInformation: (client: unknown) => void (kept['client'] = client as never),
      tokens: () => kept['tokens'],
      saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens as never),
      codeVerifier: () => kept['verifier'] as unknown as string, // saved below
      saveCodeVerifier: (verifier: unknown) => void (kept['verifier'] = verifier as never),
      async redirectToAuthorization(url: URL) {
        const page = await fetch(url, { redirect: 'manual' })
        code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? ''
      },
    },
  }
}

test('the official client of the first generation signs in', async () => {
  const { issuer, protect } = await openTellingIssuer()
  await using _ = issuer
  await using server = await listenProtected({ ...protect, scopes: ['notes:read'] })
  const { provider, code } = createProvider()
  const first = new HttpV1(server.url, { authProvider: provider })
  const info = { name: 'official', version: '1.0.0' }
  await expect(new ClientV1(info).connect(first)).rejects.toThrow(/unauthorized/i)
  await first.finishAuth(code())

  const client = new ClientV1(info)
  await client.connect(new HttpV1(server.url, { authProvider: provider }))
  const result = await client.callTool({ name: 'read' })
  await client.close()

  expect(result.content).toMatchObject([{ text: 'read' }])
})

test('the official client of the second generation signs in', async () => {
  const { issuer, protect } = await openTellingIssuer()
  await using _ = issuer
  await using server = await listenProtected({ ...protect, scopes: ['notes:read'] })
  const { provider, code } = createProvider()
  const first = new HttpV2(server.url, { authProvider: provider })
  const info = { name: 'official', version: '1.0.0' }
  await expect(new ClientV2(info).connect(first)).rejects.toThrow(/unauthorized/i)
  await first.finishAuth(code())

  const client = new ClientV2(info)
  await client.connect(new HttpV2(server.url, { authProvider: provider }))
  const result = await client.callTool({ name: 'read' })
  await client.close()

  expect(result.content).toMatchObject([{ text: 'read' }])
})

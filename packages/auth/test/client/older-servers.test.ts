import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { openLoggedServer } from '../support/http-log.ts'
import { createPerson } from '../support/person.ts'
import { authErrorOf } from '../support/refusal-of.ts'

/** A server of 2025-03-26: signs clients in itself and does not describe itself. */
async function openOldServer(hasMetadata: boolean, more: object = {}) {
  const server = await openLoggedServer((seen) => {
    const { path, query, headers, body } = seen
    const { origin } = server
    switch (path) {
      case '/.well-known/oauth-authorization-server':
        if (!hasMetadata) return { status: 404 }
        return {
          body: {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            code_challenge_methods_supported: ['S256'],
            ...more,
          },
        }
      case '/register':
        return { status: 201, body: { client_id: 'c', ...JSON.parse(body) } }
      case '/authorize': {
        const state = query.get('state') ?? ''
        return {
          status: 302,
          headers: { location: `${query.get('redirect_uri')}?code=1&state=${state}` },
        }
      }
      case '/token':
        return { body: { access_token: 'good', token_type: 'bearer' } }
      case '/v1/mcp':
        if (headers.authorization !== 'Bearer good') return { status: 401, body: 'no' }
        return body.includes('initialize"')
          ? {
              body: {
                jsonrpc: '2.0',
                id: 1,
                result: {
                  protocolVersion: '2025-03-26',
                  capabilities: {},
                  serverInfo: { name: 'old', version: '1' },
                },
              },
            }
          : { status: 202 }
      default:
        return { status: 404 }
    }
  })
  return server
}

function join(url: string) {
  const auth = browserAuth({ ...createPerson(), store: createMemoryTokenStore() })
  return connect(url, { auth, protocolVersion: 'legacy', reconnect: false })
}

describe('a server of 2025-03-26', () => {
  test('that does not describe itself is named by its canonical URI [ARES-04]', async () => {
    await using server = await openOldServer(true)

    await (await join(`${server.origin}/v1/mcp?tenant=a`)).close()

    const sent = [server.at('/authorize')[0]?.query, server.at('/token')[0]?.form]
    expect(sent.map((parameters) => parameters?.getAll('resource'))).toEqual([
      [`${server.origin}/v1/mcp`],
      [`${server.origin}/v1/mcp`],
    ])
  })

  test.each([
    ['with metadata at its root', true],
    ['with nothing but three paths', false],
  ])(
    '%s can be signed in at, with PKCE and the resource all the same [R0326A-07] [R0326A-09] [R0326A-11] [R0326A-12] [R0326A-19] [R0326A-24]',
    async (_, hasMetadata) => {
      await using server = await openOldServer(hasMetadata)

      await (await join(`${server.origin}/v1/mcp`)).close()

      const [authorize] = server.at('/authorize')
      expect(authorize?.query.get('code_challenge_method')).toBe('S256')
      expect(authorize?.query.get('resource')).toBe(`${server.origin}/v1/mcp`)
      expect(server.at('/token')[0]?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/)
      expect(
        server
          .paths()
          .filter((path) => path.startsWith('GET /.well-known'))
          .slice(0, 3),
      ).toEqual([
        'GET /.well-known/oauth-protected-resource/v1/mcp',
        'GET /.well-known/oauth-protected-resource',
        'GET /.well-known/oauth-authorization-server',
      ])
      expect(
        server.at('/.well-known/oauth-authorization-server')[0]?.headers['mcp-protocol-version'],
      ).toBe('2025-03-26')
    },
  )

  test('whose metadata does not promise PKCE is not signed in at [N11-AUTH-17]', async () => {
    await using server = await openOldServer(true, { code_challenge_methods_supported: undefined })

    expect((await authErrorOf(join(`${server.origin}/v1/mcp`))).code).toBe('pkce_unsupported')
  })
})

import { AuthError } from '@parley/auth'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findTarget } from '../../src/client/issuer/target.ts'
import { createAuthHttp } from '../../src/client/options.ts'
import { startSignIn } from '../../src/client/sign-in/sign-in.ts'
import { parseChallenges } from '../../src/shared/challenge.ts'

const server = new URL('https://mcp.example.com/mcp')

const url = fc.oneof(
  fc.constantFrom(
    'https://as.example',
    'https://as.example/',
    'https://mcp.example.com/mcp',
    'https://mcp.example.com',
    'http://as.example',
    'http://127.0.0.1:1',
    'https://user:pass@as.example',
    'javascript:alert(1)',
    '',
    '//x',
  ),
  fc.webUrl(),
)
const anything = fc.oneof(url, fc.array(url, { maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }))
const resourceDocument = fc.record(
  {
    resource: fc.oneof(
      { arbitrary: fc.constant(server.href), weight: 5 },
      { arbitrary: anything, weight: 1 },
    ),
    authorization_servers: fc.oneof(
      { arbitrary: fc.array(url, { maxLength: 3 }), weight: 5 },
      { arbitrary: anything, weight: 1 },
    ),
    scopes_supported: anything,
  },
  { requiredKeys: [] },
)
const issuerDocument = fc.record(
  {
    issuer: fc.oneof(
      { arbitrary: fc.constant('https://as.example'), weight: 5 },
      { arbitrary: anything, weight: 1 },
    ),
    authorization_endpoint: anything,
    token_endpoint: fc.oneof(
      { arbitrary: fc.constant('https://as.example/token'), weight: 5 },
      { arbitrary: anything, weight: 1 },
    ),
    registration_endpoint: anything,
    code_challenge_methods_supported: fc.oneof(fc.constant(['S256']), anything),
    scopes_supported: anything,
    dpop_signing_alg_values_supported: anything,
    token_endpoint_auth_methods_supported: anything,
  },
  { requiredKeys: [] },
)

describe('metadata that could be anything', () => {
  test('fails by an AuthError or leads to an https page, and nothing but https is ever asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        resourceDocument,
        issuerDocument,
        fc.string(),
        async (resource, issuer, header) => {
          const asked: URL[] = []
          const fetchAnything: typeof fetch = async (input) => {
            const to = new URL(input instanceof Request ? input.url : input)
            asked.push(to)
            return Response.json(to.pathname.includes('protected-resource') ? resource : issuer)
          }
          const wire = createAuthHttp(server, new AbortController().signal, fetchAnything, 'any')
          const [challenge] = parseChallenges(`Bearer resource_metadata="${header}"`)
          try {
            const target = await findTarget(server, challenge, wire, {}, async () => false)
            const { url: page } = await startSignIn({
              target,
              identity: { id: 'client', source: 'configured' },
              redirectUri: 'http://127.0.0.1:3000/callback',
              scopes: target.supportedScopes ?? [],
              dpop: 'off',
            })
            expect(page.protocol).toBe('https:')
            expect(target.issuer.server.token_endpoint).toMatch(/^https:/)
          } catch (error) {
            expect(error).toBeInstanceOf(AuthError)
          }
          expect(
            asked.filter(({ protocol, username }) => protocol !== 'https:' || username !== ''),
          ).toEqual([])
        },
      ),
    )
  })
})

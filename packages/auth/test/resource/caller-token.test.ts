import { callerToken, exchangeToken } from '@parley/auth/resource'
import type { AuthInfo } from '@parley/mcp'
import { expect, test } from 'vitest'

import { openProtected } from './protected-server.ts'
import { openSigningIssuer, resource } from './signing-issuer.ts'

/** Somebody whom `oauthGuard` has let in, and the token. */
async function letIn(claims: Record<string, unknown> = {}) {
  let count = 0
  const issuer = await openSigningIssuer({
    answer: ({ path }) =>
      path === '/token'
        ? { body: { access_token: `other-${(count += 1)}`, token_type: 'Bearer', expires_in: 300 } }
        : undefined,
  })
  let auth: AuthInfo | undefined
  const server = await openProtected({
    issuer,
    define(notes) {
      notes.tool('look', {}, (_, context) => {
        auth = context.auth
        return 'seen'
      })
    },
    protect: { extraAudiences: ['https://files.example.com'] },
  })
  const token = await issuer.sign(claims)
  await server.call('look', { token })
  if (auth === undefined) throw new Error('nobody was let in')
  return {
    issuer,
    auth,
    token,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

test('a token is given to who passes it on to its issuer, or to whom it was issued for', async () => {
  await using known = await letIn({ aud: [resource, 'https://files.example.com'] })
  const { auth, token, issuer } = known

  expect(callerToken(auth, { issuer: issuer.issuer })).toBe(token)
  expect(callerToken(auth, { resource: 'https://files.example.com' })).toBe(token)
  expect(() => callerToken(auth, { issuer: 'https://other.example' })).toThrow(
    /is not sent to https:\/\/other\.example/,
  )
  expect(() => callerToken(auth, { resource: 'https://files.example.com/deep' })).toThrow(
    /and is not sent to/,
  )
  expect(() => callerToken({ ...auth }, { issuer: issuer.issuer })).toThrow(
    /not verified by a token/,
  )
})

test('an exchanged token is got once, and again when it was refused', async () => {
  await using known = await letIn()
  const { auth, issuer } = known
  const options = {
    resource: 'https://files.example.com',
    audience: 'files',
    issuer: issuer.issuer,
    clientId: 'gateway',
    clientSecret: 'secret',
  }

  const first = await exchangeToken(auth, options)
  const again = await exchangeToken(auth, options)
  const renewed = await exchangeToken(auth, options, { rejected: first })

  expect([first, again, renewed]).toEqual(['other-1', 'other-1', 'other-2'])
  expect(issuer.at('/token')[0]?.form.get('audience')).toBe('files')
})

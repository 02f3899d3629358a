import { generateKeyPairSync } from 'node:crypto'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'

import { oauthGuard } from '@parley/auth/resource'
import { Provider, type KoaContextWithOIDC } from 'oidc-provider'
import { expect, onTestFinished, test } from 'vitest'

import { open, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'
import { openNotes, openTap, secret } from './world.ts'

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const home = 'http://127.0.0.1:9/mcp'

/** `oidc-provider` with the grant of RFC 8693, as its documentation has one add it. */
async function openProvider() {
  let provider: Provider | undefined
  const http = createHttp((request, response) => void provider?.callback()(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => http.closeAllConnections())
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  const issuer = `http://127.0.0.1:${port}`
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = {
    scope: 'notes:read',
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  } as const
  const made = new Provider(issuer, {
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k' }],
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: true, getResourceServerInfo: () => server },
    },
    clients: [
      {
        client_id: 'gateway',
        client_secret: secret,
        grant_types: [exchange],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
  })
  provider = made

  async function issue(context: KoaContextWithOIDC | undefined, sub: string, resource: string) {
    const client = await made.Client.find('gateway')
    if (client === undefined) throw new Error('the client is gone')
    const token = new made.AccessToken({
      accountId: sub,
      client,
      gty: 'token_exchange',
      grantId: '',
      scope: 'notes:read',
    })
    token.resourceServer = new made.ResourceServer(resource, { ...server, audience: resource })
    context?.oidc.entity('AccessToken', token)
    return token.save()
  }

  const asked: unknown[] = []
  const names = [
    'subject_token',
    'subject_token_type',
    'requested_token_type',
    'audience',
    'resource',
  ]
  made.registerGrantType(
    exchange,
    async (context) => {
      const params: { readonly [name: string]: unknown } = context.oidc.params ?? {}
      asked.push(params['resource'])
      const [, payload = ''] = String(params['subject_token']).split('.')
      const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string } // ours
      const token = await issue(context, sub, String(params['resource']))
      context.body = { access_token: token, token_type: 'Bearer', expires_in: 300 }
    },
    names,
    [],
  )
  return { issuer, asked, tokenFor: (sub: string) => issue(undefined, sub, home) }
}

test('a real issuer exchanges the tokens of callers for those of the server', async () => {
  const { issuer, asked, tokenFor } = await openProvider()
  await using tap = await openTap()
  await using notes = await openNotes(tap, issuer)
  await using gateway = await startTestGateway({
    url: home,
    auth: oauthGuard({ issuer }),
    servers: {
      docs: {
        url: notes.url,
        auth: { type: 'token-exchange', issuer, clientId: 'gateway', clientSecret: secret },
      },
    },
  })
  const tokens = await Promise.all(['ada', 'bob'].map(tokenFor))
  const answers: string[] = []
  for (const token of tokens) {
    await using client = await open(gateway, { headers: { authorization: `Bearer ${token}` } })
    await client.listTools().toArray()
    answers.push(textOf(await client.callTool('docs__who')))
  }

  expect(answers).toEqual([`ada of ${issuer}`, `bob of ${issuer}`])
  expect(asked).toEqual([notes.url, notes.url])
  for (const token of tokens) expect(tap.sent()).not.toContain(token)
})

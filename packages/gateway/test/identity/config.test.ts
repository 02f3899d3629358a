import { join } from 'node:path'

import { gatewayOptions, loadGatewayConfig } from '@parley/gateway'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const env = { TOKEN: 'secret-token', KEY: '{"kty":"EC","crv":"P-256","d":"a","x":"b","y":"c"}' }
const jwt =
  'listen: { url: "https://gw.example/mcp" }\nauth: { jwt: { issuer: "https://id.example" } }'

async function load(auth: string, more = jwt) {
  const text = `servers:\n  docs:\n    url: "https://docs.example/mcp"\n    auth: ${auth}\n${more}\n`
  const folder = folderWith({ 'g.yaml': text })
  const { config, problems } = await loadGatewayConfig(join(folder, 'g.yaml'), {
    env: { ...env, HOME: folder },
  })
  return {
    config,
    told: problems.map((each) => `${each.line} ${each.key} ${each.message} | ${each.fix}`),
  }
}

test.each<[string, object]>([
  ['{ type: static, bearer: "${TOKEN}" }', { headers: { Authorization: 'Bearer secret-token' } }],
  ['{ type: static, header: X-Key, value: "${TOKEN}" }', { headers: { 'X-Key': 'secret-token' } }],
  [
    '{ type: client-credentials, clientId: g, clientSecret: "${TOKEN}", scopes: [a] }',
    {
      auth: {
        type: 'client-credentials',
        clientId: 'g',
        clientSecret: 'secret-token',
        scopes: ['a'],
      },
    },
  ],
  [
    '{ type: client-credentials, clientId: g, key: "${KEY}" }',
    { auth: { type: 'client-credentials', key: { kty: 'EC', d: 'a' } } },
  ],
  [
    '{ type: user, issuer: "https://x.example" }',
    { auth: { type: 'user', issuer: 'https://x.example' } },
  ],
  [
    '{ type: token-exchange, issuer: "https://id.example", clientId: g, clientSecret: "${TOKEN}" }',
    { auth: { type: 'token-exchange', clientSecret: 'secret-token' } },
  ],
  [
    '{ type: id-jag, clientId: g, idp: { issuer: "https://id.example", clientId: h, clientSecret: "${TOKEN}" } }',
    { auth: { type: 'id-jag', idp: { clientId: 'h', clientSecret: 'secret-token' } } },
  ],
])('reads %s', async (auth, expected) => {
  const { config, told } = await load(auth)

  expect(told).toEqual([])
  expect(config.servers['docs']).toMatchObject(expected)
  expect(gatewayOptions(config).tokens !== undefined).toBe(auth.includes('type: user'))
})

test.each([
  [
    'user',
    '4 servers.docs.auth must be an object: "user" | Write servers.docs.auth: { type: user }.',
  ],
  [
    '{ type: oauth }',
    '4 servers.docs.auth.type is unknown: "oauth" | Use static, client-credentials, user, token-exchange, id-jag, pass-through.',
  ],
  [
    '{ clientId: a }',
    '4 servers.docs.auth has no type | Add type: static, client-credentials, user, token-exchange, id-jag, pass-through.',
  ],
  [
    '{ type: user, secret: a }',
    '4 servers.docs.auth.secret is unknown | Use type, issuer, clientId, clientSecret, scopes.',
  ],
  [
    '{ type: user, issuer: "http://id.example" }',
    '4 servers.docs.auth.issuer is not an https address: "http://id.example" | Write https://….',
  ],
  [
    '{ type: static, bearer: a, header: b }',
    '4 servers.docs.auth needs bearer, or header and value | Write bearer: "${secret:NAME}", or header: X-Api-Key and value: "${secret:NAME}".',
  ],
  [
    '{ type: static, bearer: "${MISSING}" }',
    '4 servers.docs.auth.bearer ${MISSING} has no value | Set MISSING in the environment, or write ${MISSING:-default}.',
  ],
  [
    '{ type: client-credentials, clientId: a }',
    '4 servers.docs.auth needs one of clientSecret and key | Write clientSecret: "${secret:NAME}" or key: "${file:key.jwk}".',
  ],
  [
    '{ type: client-credentials, clientId: a, key: nonsense }',
    '4 servers.docs.auth.key is not a private key as a JWK | Write key: "${file:key.jwk}".',
  ],
  [
    '{ type: token-exchange, issuer: "https://id.example", clientId: a }',
    '4 servers.docs.auth has no clientSecret | Add clientSecret: "${secret:NAME}".',
  ],
  [
    '{ type: id-jag, clientId: a }',
    '4 servers.docs.auth has no idp | Add idp: { issuer: "https://…", clientId: "…", clientSecret: "…" }.',
  ],
  [
    '{ type: pass-through }',
    `4 servers.docs.auth passes the caller's token on to https://docs.example/mcp, and tokens here are for https://gw.example/mcp | Use type: token-exchange, or, if one token is meant for both, auth: { jwt: { extraAudiences: ["https://docs.example/mcp"] } }.`,
  ],
])('says what is wrong with auth: %s', async (auth, expected) => {
  const { told } = await load(auth)

  expect(told).toEqual([expected])
})

test('who acts for callers has to know them', async () => {
  const nobody = await load('{ type: user }', '')
  const keys = await load(
    '{ type: token-exchange, issuer: "https://id.example", clientId: a, clientSecret: b }',
    'auth: { keys: keys.json }',
  )
  const stdio = await load('{ type: user }', 'listen: { stdio: true }')

  expect(nobody.told).toEqual([
    '4 servers.docs.auth with type user acts for the caller, and the gateway does not ask who that is | Add auth: { jwt: … } or auth: { keys: … } to the file.',
  ])
  expect(keys.told).toEqual([
    '4 servers.docs.auth with type token-exchange acts for the caller by the token of the caller, and callers have none | Add auth: { jwt: … } to the file.',
  ])
  expect(stdio.told.join()).toContain('needs callers who sign in, and stdio has none')
})

test('a token may be passed on where it was issued for both', async () => {
  const { config, told } = await load(
    '{ type: pass-through }',
    'listen: { url: "https://gw.example/mcp" }\nauth: { jwt: { issuer: "https://id.example", extraAudiences: ["https://docs.example/mcp"] } }',
  )

  expect(told).toEqual([])
  expect(config.servers['docs']).toMatchObject({ auth: { type: 'pass-through' } })
})

test('a command has no such auth', async () => {
  const text = 'servers:\n  docs: { command: x, auth: { type: user } }\n'
  const { problems } = await loadGatewayConfig(join(folderWith({ 'g.yaml': text }), 'g.yaml'))

  expect(problems.map(({ key, message }) => `${key} ${message}`)).toEqual([
    'servers.docs.auth is for servers with a url',
  ])
})

import { apiKeyGuard, type ApiKeys, type ApiKeyGuardOptions } from '@parley/auth/resource'
import { connect } from '@parley/mcp/client'
import { createMcpHandler } from '@parley/mcp/http'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

const key = 'sk_0123456789abcdef'
const url = 'https://keys.example.com/mcp'

function createKeyServer(keys: ApiKeys, options?: ApiKeyGuardOptions) {
  const server = createServer({ name: 'keys', version: '1.0.0' })
  server.tool('whoami', {}, (_, { auth }) => `${auth?.subject} ${String(auth?.claims['team'])}`)
  server.tool('write', { scopes: ['write'] }, () => 'written')
  const onError = vi.fn()
  const { fetch } = createMcpHandler(server, { url, auth: apiKeyGuard(keys, options), onError })
  const post = (headers: Record<string, string>, target = url) =>
    fetch(new Request(target, { method: 'POST', headers }))
  const open = (headers: Record<string, string>) =>
    connect(url, { headers, fetch: (input, init) => fetch(new Request(input, init)) })
  return { post, open, onError }
}

test.each([{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])(
  'a known key lets its owner in: %o',
  async (headers) => {
    const { open } = createKeyServer({ [key]: { subject: 'ada', claims: { team: 'a' } } })

    const client = await open(headers)

    const { content } = await client.callTool('whoami')
    expect(content).toEqual([{ type: 'text', text: 'ada a' }])
    await client.close()
  },
)

test('scopes of a key open what needs them, and nothing else does', async () => {
  const other = 'sk_fedcba9876543210'
  const { open } = createKeyServer({
    [key]: { subject: 'ada', scopes: ['write'] },
    [other]: 'bob',
  })

  const ada = await open({ 'x-api-key': key })
  expect((await ada.callTool('write')).content).toEqual([{ type: 'text', text: 'written' }])
  const bob = await open({ 'x-api-key': other })
  await expect(bob.callTool('write')).rejects.toMatchObject({
    details: { challenge: 'Bearer error="insufficient_scope", scope="write"' },
  })
  await Promise.all([ada.close(), bob.close()])
})

test('without a key the answer says where to send one', async () => {
  const { post } = createKeyServer({ [key]: 'ada' }, { header: 'X-Notes-Key' })

  const rejected = await post({})

  expect(rejected.status).toBe(401)
  expect(rejected.headers.get('www-authenticate')).toBe('Bearer realm="API key"')
  expect(await rejected.text()).toContain('send it as X-Notes-Key, or as Authorization: Bearer')
})

test.each([
  ['another key', { 'x-api-key': 'sk_0123456789abcdeX' }],
  ['the beginning of one', { 'x-api-key': key.slice(0, -1) }],
  ['a name of every object', { 'x-api-key': 'constructor' }],
  ['no end of characters', { 'x-api-key': 'k'.repeat(5_000) }],
])('%s is refused', async (_, headers) => {
  const { post } = createKeyServer({ [key]: 'ada' })

  const rejected = await post(headers)

  expect(rejected.status).toBe(401)
  expect(rejected.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

test('a key in the URL is not looked at', async () => {
  const { post } = createKeyServer({ [key]: 'ada' })

  expect((await post({}, `${url}?x-api-key=${key}&api_key=${key}`)).status).toBe(401)
})

test('a function finds keys anywhere; one that fails is not the fault of the caller', async () => {
  const { post, open, onError } = createKeyServer(async (given) => {
    if (given.startsWith('down')) throw new Error('the database is down')
    return given === key ? { subject: 'ada' } : undefined
  })

  const client = await open({ 'x-api-key': key })
  expect((await client.callTool('whoami')).content).toEqual([
    { type: 'text', text: 'ada undefined' },
  ])
  await client.close()
  expect((await post({ 'x-api-key': 'unknown-unknown-unknown' })).status).toBe(401)
  expect((await post({ 'x-api-key': 'down-down-down-down' })).status).toBe(503)
  expect(onError).toHaveBeenCalledWith(
    expect.objectContaining({ message: 'the database is down' }),
    expect.anything(),
  )
})

test('an expired key is refused, and says so', async () => {
  const { post } = createKeyServer({ [key]: { subject: 'ada', expiresAt: Date.now() - 1 } })

  const rejected = await post({ 'x-api-key': key })

  expect(rejected.status).toBe(401)
  expect(await rejected.text()).toContain('has expired')
})

test('a key that could be guessed, and a variable that is not set, are refused at the start', () => {
  expect(() => apiKeyGuard({ secret: 'ada' })).toThrow(
    'the API key of "ada" has 6 characters: use at least 16, made at random',
  )
  expect(() => apiKeyGuard({ [String(process.env['NOT_SET_ANYWHERE'])]: 'ada' })).toThrow(TypeError)
  expect(() => apiKeyGuard({})).toThrow('apiKeyGuard needs keys')
})

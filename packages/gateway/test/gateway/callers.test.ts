import { join } from 'node:path'

import { apiKeyGuard } from '@parley/auth/resource'
import { gatewayOptions, loadGatewayConfig, openApiKeyFile } from '@parley/gateway'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { hostile, officialV1, officialV2 } from '../programs.ts'
import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const eras = ['legacy', 'modern'] as const
const auth = apiKeyGuard({ 'key-of-ada-0123456789': 'ada', 'key-of-bob-0123456789': 'bob' })
const as = (name: string) => ({ headers: { 'x-api-key': `key-of-${name}-0123456789` } })

test.each(eras)('users never share a child (%s)', async (protocolVersion) => {
  await using gateway = await startTestGateway({
    auth,
    servers: { own: hostile('good'), users: { ...hostile('good'), mode: 'per-user' } },
  })
  await using ada = await open(gateway, { protocolVersion, ...as('ada') })
  await using again = await open(gateway, { protocolVersion, ...as('ada') })
  await using bob = await open(gateway, { protocolVersion, ...as('bob') })

  const own = await Promise.all([ada, bob].map((each) => each.callTool('own__echo')))
  const users = await Promise.all([ada, again, bob].map((each) => each.callTool('users__echo')))

  expect(new Set(own.map(textOf)).size).toBe(2)
  const [first, second, third] = users.map(textOf)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

/** Tools that are there only after one has been called, for this session alone. */
function dynamic(): Server {
  const server = createServer({ name: 'dynamic', version: '1.0.0' })
  const opened = new Set<string | undefined>()
  server.tool('open', {}, (_, context) => {
    opened.add(context.sessionId)
    server.notifyChanged('tools')
    return 'opened'
  })
  server.tool('inside', { visible: ({ sessionId }) => opened.has(sessionId) }, () => 'inside')
  return server
}

test('a list that a server changes for one client alone is that of this client', async () => {
  await using service = await serveTest(dynamic())
  await using gateway = await startTestGateway({
    servers: { one: { url: service.url.href, protocolVersion: 'legacy' } },
  })
  await using first = await open(gateway, { protocolVersion: 'legacy' })
  await using second = await open(gateway, { protocolVersion: 'legacy' })
  const names = async (client: typeof first) =>
    (await client.listTools().toArray()).map(({ name }) => name)
  expect(await names(first)).toEqual(['one__open'])

  await first.callTool('one__open')

  await vi.waitFor(async () => expect(await names(first)).toContain('one__inside'))
  expect(textOf(await first.callTool('one__inside'))).toBe('inside')
  expect(await names(second)).toEqual(['one__open'])
})

test.each(eras)(
  'servers on both generations of the official SDK stand side by side (%s)',
  async (protocolVersion) => {
    await using gateway = await startTestGateway({ servers: { v1: officialV1, v2: officialV2 } })
    await using client = await open(gateway, { protocolVersion })

    const tools = await client.listTools().toArray()

    const names = tools.map(({ name }) => name)
    expect(names.some((name) => name.startsWith('v1__'))).toBe(true)
    expect(names.filter((name) => name.startsWith('v2__')).length).toBe(
      names.filter((name) => name.startsWith('v1__')).length,
    )
  },
)

test('keys of the file let in, and nobody else gets in', async () => {
  const folder = folderWith({})
  const keys = openApiKeyFile({ path: join(folder, 'keys.json') })
  const { key } = await keys.createKey({ name: 'ada' })
  await using service = await serveTest(dynamic())
  const { config, problems } = await loadGatewayConfig(
    join(
      folderWith({
        'gateway.yaml': `servers:\n  one: { url: "${service.url.href}" }\nauth: { keys: "${join(folder, 'keys.json')}" }\npolicy: ['caller.keyId != ""']\n`,
      }),
      'gateway.yaml',
    ),
  )
  expect(problems).toEqual([])
  await using gateway = await startTestGateway({ ...gatewayOptions(config), port: 0 })
  await using ada = await open(gateway, { headers: { 'x-api-key': key } })

  expect(await ada.listTools().toArray()).toHaveLength(1)
  await expect(open(gateway)).rejects.toThrow(/answered 401/)
})

import { RpcError } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'

const audit = 'com.example/audit'
const declared = { capabilities: { extensions: { [audit]: {} } } }

function createAudited(): Server {
  return createServer({
    name: 'audited',
    version: '1',
    onError: () => undefined,
    extensions: [
      {
        id: audit,
        settings: { level: 'full' },
        methods: {
          'com.example/audit/read'({ from = null }, { operation, client }) {
            if (client.capabilities.extensions?.[audit] === undefined) {
              const data = { requiredCapabilities: { extensions: { [audit]: {} } } }
              throw new RpcError('missing_client_capability', 'needs audit', { data })
            }
            return { operation, from }
          },
        },
      },
      { id: 'com.example/plain' },
    ],
  })
}

describeStandalone('an extension', ({ open }) => {
  test('is told when it is discovered, with its settings or none [N07-EXT-01]', async () => {
    const client = await open(createAudited())

    const { result } = await client.request('server/discover')

    expect(result).toMatchObject({
      capabilities: { extensions: { [audit]: { level: 'full' }, 'com.example/plain': {} } },
    })
  })

  test('is off unless its developer names it [N07-EXT-03, N07-T-10]', async () => {
    const client = await open(createServer({ name: 'plain', version: '1' }))

    const { result } = await client.request('server/discover')

    expect(result?.['capabilities']).toEqual({ logging: {} })
  })

  test('answers its methods to those who have it too [N07-EXT-02]', async () => {
    const client = await open(createAudited())

    const { result } = await client.request('com.example/audit/read', { from: 7 }, declared)

    expect(result).toMatchObject({
      resultType: 'complete',
      operation: 'com.example/audit/read',
      from: 7,
    })
  })

  test('can tell those who have it not what they lack [N07-EXT-02]', async () => {
    const client = await open(createAudited())

    const { error } = await client.request('com.example/audit/read')

    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [audit]: {} } } },
    })
  })

  test('changes nothing in the core for who has it not [N07-EXT-02]', async () => {
    const server = createAudited()
    server.tool('plain', {}, () => 'plain')
    const client = await open(server)

    for (const options of [{}, declared]) {
      const { result } = await client.request('tools/call', { name: 'plain' }, options)
      expect(result).toMatchObject({ content: [{ text: 'plain' }] })
    }
  })
})

describeEntries('an extension over HTTP', (entry) => {
  test('that a client lacks is a bad request [N07-EXT-02]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createAudited())

    expect(await endpoint.ask2026('com.example/audit/read')).toMatchObject({
      status: 400,
      error: { code: -32021 },
    })
    expect((await endpoint.ask2026('com.example/audit/read', {}, declared)).status).toBe(200)
  })
})

test.each(['audit', '/audit', 'com..example/audit', 'com.example/au dit', '-a/b'])(
  'an extension cannot be called %j [N07-EXT-01]',
  (id) => {
    const rejection = expect.objectContaining({ code: 'invalid_definition' }) as Error

    expect(() => createServer({ name: 'x', version: '1', extensions: [{ id }] })).toThrow(rejection)
  },
)

test('an extension is there once [N07-EXT-01]', () => {
  const extensions = [{ id: audit }, { id: audit }]

  expect(() => createServer({ name: 'x', version: '1', extensions })).toThrow(/twice/)
})

import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone, envelope } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'

const named = (version: string) => ({ 'io.modelcontextprotocol/protocolVersion': version })

function createSample(): Server {
  const server = createServer({
    name: 'sample',
    version: '1.2.3',
    title: 'A sample',
    instructions: 'Be kind.',
    cache: { ttlMs: 60_000, scope: 'public' },
  })
  server.tool('one', {}, () => '1')
  server.resource('notes://1', {}, () => 'note')
  return server
}

describeStandalone('a version', ({ open }) => {
  test.each(['1900-01-01', '2099-01-01', '', '2025-11-25'])(
    'that is not served this way is refused with those that are: %j [N07-VER-01, N07-DISC-04]',
    async (version) => {
      const client = await open(createSample())
      const discovered = await client.request('server/discover')

      const { error } = await client.request('tools/list', {}, { meta: named(version) })

      expect(error).toMatchObject({
        code: -32022,
        data: { requested: version, supported: discovered.result?.['supportedVersions'] },
      })
    },
  )

  test('is looked at before the rest of the envelope [N07-VER-01]', async () => {
    const client = await open(createSample())

    const { error } = await client.request(
      'tools/list',
      { _meta: named('2099-01-01') },
      { bare: true },
    )

    expect(error).toMatchObject({ code: -32022 })
  })

  test('all that are spoken are named, newest first [N07-DISC-01, N07-DISC-04]', async () => {
    const client = await open(createSample(), {
      revisions: ['2025-06-18', '2026-07-28', '2025-11-25'],
    })

    const { result } = await client.request('server/discover')

    expect(result?.['supportedVersions']).toEqual(['2026-07-28', '2025-11-25', '2025-06-18'])
  })
})

describeStandalone('discovery', ({ open }) => {
  test('tells what is spoken and offered; who it is stands beside it [N07-DISC-01, N07-T-07]', async () => {
    const client = await open(createSample(), { revisions: ['2026-07-28'] })

    const { result } = await client.request('server/discover')

    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
      },
      instructions: 'Be kind.',
      ttlMs: 60_000,
      cacheScope: 'public',
      _meta: {
        'io.modelcontextprotocol/serverInfo': {
          name: 'sample',
          version: '1.2.3',
          title: 'A sample',
        },
      },
    })
  })

  test('every result says who made it [N07-DISC-02]', async () => {
    const client = await open(createSample())
    const server = { 'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3' } }

    const answers = await Promise.all([
      client.request('tools/list'),
      client.request('tools/call', { name: 'one' }),
      client.request('resources/list'),
      client.request('resources/templates/list'),
      client.request('resources/read', { uri: 'notes://1' }),
    ])

    for (const { result } of answers) expect(result).toMatchObject({ _meta: server })
  })

  test('no author can say who made a result [N07-DISC-02, N07-ENV-08, N07-T-12]', async () => {
    const server = createSample()
    const key = 'io.modelcontextprotocol/serverInfo'
    const _meta = { [key]: { name: 'somebody else', version: '0' }, 'com.example/own': 1 }
    server.tool('forge', {}, () => ({ content: [], _meta }))
    const client = await open(server)

    const { result } = await client.request('tools/call', { name: 'forge' })

    expect(result).toMatchObject({ _meta: { [key]: { name: 'sample' }, 'com.example/own': 1 } })
  })

  test('what it does not name is not there, and what it names is [N07-DISC-03]', async () => {
    const client = await open(createSample())

    for (const method of ['prompts/list', 'prompts/get', 'completion/complete']) {
      const { error } = await client.request(method, { name: 'x' })
      expect(error).toMatchObject({ code: -32601 })
    }
    const { result } = await client.request('resources/templates/list')
    expect(result).toMatchObject({ resourceTemplates: [] })
  })

  test('all three patterns are there without anything declared: a request, rounds, listening [N07-VER-04]', async () => {
    const client = await open(createServer({ name: 'bare', version: '1' }))

    expect((await client.request('server/discover')).result).toMatchObject({
      resultType: 'complete',
      capabilities: { logging: {} },
    })
    client.send({
      jsonrpc: '2.0',
      id: 'L',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: envelope() },
    })
    expect(await client.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {} },
    })
  })
})

describeEntries('versions over HTTP', (entry) => {
  test.each(['1900-01-01', '2025-11-25'])(
    'one that is not served this way is a bad request: %s [N07-VER-01]',
    async (version) => {
      await using endpoint = await openStandaloneEndpoint(entry, createSample())

      const answer = await endpoint.ask2026(
        'tools/list',
        {},
        { meta: named(version), headers: { 'mcp-protocol-version': version } },
      )

      expect(answer).toMatchObject({
        status: 400,
        error: { code: -32022, data: { requested: version } },
      })
    },
  )

  test('a method behind a capability that is not there is not found [N07-DISC-03]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createSample())

    expect(await endpoint.ask2026('prompts/list')).toMatchObject({
      status: 404,
      error: { code: -32601 },
    })
  })

  test('a request without the header is refused, not taken for an old one [N07-HDR-07]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createSample(), {
      revisions: ['2026-07-28'],
    })

    const missing = await endpoint.ask2026(
      'tools/list',
      {},
      { headers: { 'mcp-protocol-version': undefined } },
    )
    const bare = await endpoint.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

    expect(missing).toMatchObject({ status: 400, error: { code: -32020 } })
    expect(bare.status).toBe(400)
    expect(await bare.json()).toMatchObject({ error: { code: -32602 } })
  })
})

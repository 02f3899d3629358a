import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone, envelope } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const onlyModern = { revisions: ['2026-07-28'] } as const

function createSample(): Server {
  const server = createServer({ name: 'sample', version: '1' })
  server.tool('meta', {}, (_, { meta }) => JSON.stringify(meta))
  server.tool('ask', {}, async (_, context) => JSON.stringify(await context.listRoots()))
  server.tool('think', {}, async (_, context) => {
    const params = { messages: [], maxTokens: 1 }
    return JSON.stringify(await context.sample(params))
  })
  return server
}

const broken: [string, object | undefined][] = [
  ['no params', undefined],
  ['no _meta', {}],
  ['an empty _meta', { _meta: {} }],
  ['_meta that is none', { _meta: [] }],
  ['no version', { _meta: { [capabilities]: {} } }],
  ['a version that is no text', { _meta: { [version]: 20260728, [capabilities]: {} } }],
  ['no capabilities', { _meta: { [version]: '2026-07-28' } }],
  ['capabilities that are none', { _meta: { [version]: '2026-07-28', [capabilities]: [] } }],
  ['a capability that is none', { _meta: envelope({ roots: true }) }],
  [
    'a client that is none',
    { _meta: envelope({}, { 'io.modelcontextprotocol/clientInfo': 'me' }) },
  ],
]

describeStandalone('an envelope', ({ open }) => {
  test.each(broken)('with %s is refused [N07-ENV-03]', async (_, params) => {
    const client = await open(createSample(), onlyModern)

    for (const method of ['tools/list', 'server/discover', 'tools/call']) {
      const message = { jsonrpc: '2.0', id: method, method }
      client.send(
        params === undefined ? message : { ...message, params: { name: 'meta', ...params } },
      )
      const answer = await client.next(({ id }) => id === method)

      expect(answer.error).toMatchObject({ code: -32602 })
    }
  })

  test('is one too where sessions are served, if it lacks but the version [N07-ENV-03]', async () => {
    const client = await open(createSample())

    const answer = await client.request(
      'tools/list',
      { _meta: { [capabilities]: {} } },
      { bare: true },
    )

    expect(answer.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('protocolVersion') as string,
    })
  })

  test('needs no client [N07-ENV-04]', async () => {
    const client = await open(createSample(), onlyModern)

    const _meta = { [version]: '2026-07-28', [capabilities]: {} }
    const answer = await client.request('tools/list', { _meta }, { bare: true })

    expect(answer.result).toMatchObject({ resultType: 'complete' })
  })

  test.each([
    ['ask', {}, { roots: {} }],
    ['think', { roots: {} }, { sampling: {} }],
  ])(
    'without what %s needs gets told what that is [N07-ENV-05, N07-ENV-06]',
    async (name, given, needed) => {
      const client = await open(createSample())

      const { error } = await client.request('tools/call', { name }, { capabilities: given })

      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: needed } })
    },
  )

  test('passes the context of a trace on as it is, and adds nothing of its own [N07-ENV-08, N07-ENV-09]', async () => {
    const client = await open(createSample())
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
      baggage: 'userId=alice,serverNode=DF%2028,isProduction=false',
      'com.example/own': { a: [1] },
    }

    const { result } = await client.request('tools/call', { name: 'meta' }, { meta: trace })
    const [{ text }] = (result as { content: [{ text: string }] }).content

    expect(JSON.parse(text)).toEqual(envelope({}, trace))
    expect(Object.keys(result?.['_meta'] as object)).toEqual(['io.modelcontextprotocol/serverInfo'])
  })
})

describeEntries('an envelope over HTTP', (entry) => {
  test.each(broken.filter(([, params]) => params !== undefined))(
    'with %s is a bad request [N07-ENV-03]',
    async (_, params) => {
      await using endpoint = await openStandaloneEndpoint(entry, createSample())
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }

      const response = await endpoint.post(
        { jsonrpc: '2.0', id: 1, method: 'tools/list', params },
        { headers },
      )

      expect(response.status).toBe(400)
      // A version that is no text cannot be repeated by a header; either is a reason.
      expect(await response.json()).toMatchObject({ id: 1, error: { code: -32602 } })
    },
  )

  test('without a capability that is needed is a bad request [N07-ENV-06]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createSample())

    const answer = await endpoint.ask2026('tools/call', { name: 'think' })

    expect(answer).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    })
  })
})

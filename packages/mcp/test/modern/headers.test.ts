import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'

import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'

const wrong = (header: string) => ({ status: 400, error: { code: -32020, data: { header } } })
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

function createSample(ran: () => void = () => undefined): Server {
  const server = createServer({ name: 'sample', version: '1', onError: () => undefined })
  server.tool('Add', {}, () => {
    ran()
    return 'added'
  })
  server.prompt('review', {}, () => 'reviewed')
  server.resource('notes://{+path}', {}, ({ path }) => path)
  return server
}

describeEntries('headers that repeat a request', (entry) => {
  test('have to be there, and say the same [N07-HDR-02]', async () => {
    const ran = vi.fn()
    await using endpoint = await openStandaloneEndpoint(entry, createSample(ran))
    const call = (headers: Record<string, string | undefined>) =>
      endpoint.ask2026('tools/call', { name: 'Add' }, { headers })

    expect(await call({})).toMatchObject({ status: 200 })
    expect(await call({ 'mcp-method': undefined })).toMatchObject(wrong('Mcp-Method'))
    expect(await call({ 'mcp-method': 'tools/list' })).toMatchObject(wrong('Mcp-Method'))
    expect(await call({ 'mcp-name': undefined })).toMatchObject(wrong('Mcp-Name'))
    expect(await call({ 'mcp-name': 'Sub' })).toMatchObject(wrong('Mcp-Name'))
    expect(await call({ 'mcp-protocol-version': undefined })).toMatchObject(
      wrong('MCP-Protocol-Version'),
    )
    expect(ran).toHaveBeenCalledTimes(1)
  })

  test('are checked for prompts and resources too, and only where there is a name [N07-HDR-02]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createSample())
    const ask = (method: string, params: object, name: string | undefined) =>
      endpoint.ask2026(method, params, { headers: { 'mcp-name': name } })

    expect(await ask('prompts/get', { name: 'review' }, 'other')).toMatchObject(wrong('Mcp-Name'))
    expect(await ask('prompts/get', { name: 'review' }, 'review')).toMatchObject({ status: 200 })
    expect(await ask('resources/read', { uri: 'notes://a' }, undefined)).toMatchObject(
      wrong('Mcp-Name'),
    )
    expect(await ask('resources/read', { uri: 'notes://a' }, 'notes://a')).toMatchObject({
      status: 200,
    })
    expect(await ask('tools/list', {}, undefined)).toMatchObject({ status: 200 })
  })

  test('the version is compared before it is looked up [N07-HDR-02]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createSample())
    const key = 'io.modelcontextprotocol/protocolVersion'

    for (const [body, header] of [
      ['2099-01-01', '2026-07-28'],
      ['2026-07-28', '2099-01-01'],
      ['2025-11-25', '2026-07-28'],
    ] as const) {
      const answer = await endpoint.ask2026(
        'tools/list',
        {},
        { meta: { [key]: body }, headers: { 'mcp-protocol-version': header } },
      )
      expect(answer).toMatchObject(wrong('MCP-Protocol-Version'))
    }
  })

  test('names are the same in any case, values are not [N07-HDR-03]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createSample())
    const none = { 'mcp-method': undefined, 'mcp-name': undefined }
    const call = (headers: Record<string, string>) =>
      endpoint.ask2026('tools/call', { name: 'Add' }, { headers: { ...none, ...headers } })

    expect(await call({ 'MCP-METHOD': 'tools/call', 'mCp-NaMe': 'Add' })).toMatchObject({
      status: 200,
    })
    expect(await call({ 'mcp-method': 'TOOLS/CALL', 'mcp-name': 'Add' })).toMatchObject(
      wrong('Mcp-Method'),
    )
    expect(await call({ 'mcp-method': 'tools/call', 'mcp-name': 'add' })).toMatchObject(
      wrong('Mcp-Name'),
    )
  })

  test.each<[string, string, number]>([
    ['notes://größe', base64('notes://größe'), 200],
    ['notes://a', base64('notes://a'), 200],
    ['notes://a', '  notes://a ', 200],
    ['=?base64?x?=', base64('=?base64?x?='), 200],
    ['notes://a', base64('notes://a').replace('?=', '=?='), 400],
    ['notes://a', base64('notes://a').replace('base64', 'BASE64'), 400],
    ['notes://Hello', '=?base64?bm90ZXM6Ly9IZWxsbw?=', 400],
    ['notes://größe', 'notes://größe', 400],
    ['notes://a', base64('notes://b'), 400],
    ['notes://a', '', 400],
  ])(
    'are decoded before they are compared: %j, %j [N07-HDR-05, N07-HDR-06]',
    async (uri, header, status) => {
      if (entry === 'fetch' && !/^[\x20-\x7e]*$/.test(header)) return // cannot be in a Request
      await using endpoint = await openStandaloneEndpoint(entry, createSample())
      const headers = { 'mcp-name': Buffer.from(header).toString('latin1') }

      const answer = await endpoint.ask2026('resources/read', { uri }, { headers })

      expect(answer.status).toBe(status)
      if (status === 400) expect(answer.error?.code).toBe(-32020)
    },
  )
})

function createRouted(seen: unknown[] = []): Server {
  const server = createServer({ name: 'routed', version: '1', onError: () => undefined })
  const inputSchema = {
    type: 'object',
    properties: {
      tenant: { type: 'string', 'x-mcp-header': 'Tenant' },
      shard: { type: 'integer', 'x-mcp-header': 'Shard' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      deep: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      },
      free: { type: 'string' },
    },
  } as const
  server.tool('route', { inputSchema }, (args) => {
    seen.push(args)
    return JSON.stringify(args)
  })
  return server
}

describeEntries('headers that repeat arguments', (entry) => {
  test.each<[string, object, Record<string, string>, string | undefined]>([
    ['a text', { tenant: 'eu' }, { tenant: 'eu' }, undefined],
    ['an empty text', { tenant: '' }, { tenant: '' }, undefined],
    ['a text in base64', { tenant: 'é' }, { tenant: base64('é') }, undefined],
    ['numbers', { shard: -7 }, { shard: '-7' }, undefined],
    ['a number written otherwise', { shard: 42 }, { shard: '42.0' }, undefined],
    ['a boolean', { dry: true }, { dry: 'true' }, undefined],
    ['something deep', { deep: { region: 'x' } }, { region: 'x' }, undefined],
    ['nothing', { free: 'x' }, {}, undefined],
    ['null', { tenant: null }, {}, undefined],
    [
      'all',
      { tenant: 'eu', shard: 1, dry: false },
      { tenant: 'eu', shard: '1', dry: 'false' },
      undefined,
    ],
    ['one that is missing', { tenant: 'eu' }, {}, 'Tenant'],
    ['one that differs', { tenant: 'eu' }, { tenant: 'us' }, 'Tenant'],
    ['one in another case', { tenant: 'eu' }, { tenant: 'EU' }, 'Tenant'],
    ['a number that differs', { shard: 42 }, { shard: '43' }, 'Shard'],
    ['a boolean that differs', { dry: true }, { dry: '1' }, 'Dry'],
    ['one deep that is missing', { deep: { region: 'x' } }, {}, 'Region'],
    ['one for nothing', {}, { tenant: 'eu' }, 'Tenant'],
  ])('%s [N07-XHDR-05]', async (_, args, params, rejected) => {
    const seen: unknown[] = []
    await using endpoint = await openStandaloneEndpoint(entry, createRouted(seen))
    const headers = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [`mcp-param-${name}`, value]),
    )

    const answer = await endpoint.ask2026(
      'tools/call',
      { name: 'route', arguments: args },
      { headers },
    )

    if (rejected === undefined) expect(answer.status).toBe(200)
    else expect(answer).toMatchObject(wrong(`Mcp-Param-${rejected}`))
    expect(seen.length).toBeLessThanOrEqual(rejected === undefined ? 1 : 0)
  })

  test('repeat what was sent, whatever middleware makes of it [N07-XHDR-05]', async () => {
    const seen: unknown[] = []
    const server = createRouted(seen)
    server.use('tools/call', ({ params }, next) =>
      next({ params: { ...params, arguments: { ...params.arguments, tenant: 'inside' } } }),
    )
    await using endpoint = await openStandaloneEndpoint(entry, server)

    const headers = { 'mcp-param-tenant': 'eu' }
    const params = { name: 'route', arguments: { tenant: 'eu' } }
    const answer = await endpoint.ask2026('tools/call', params, { headers })

    expect(answer.status).toBe(200)
    expect(seen).toEqual([{ tenant: 'inside' }])
  })

  test('are not asked of a session [N07-COMP-09]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createRouted())
    const session = await endpoint.open({ revision: '2025-11-25' })

    const params = { name: 'route', arguments: { tenant: 'eu' } }
    const response = await endpoint.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { session },
    )

    expect(await response.json()).toMatchObject({
      result: { content: [{ text: '{"tenant":"eu"}' }] },
    })
  })
})

describeStandalone(
  'arguments that headers repeat',
  ({ open }) => {
    test('need none where there are no headers [N07-XHDR-05]', async () => {
      const client = await open(createRouted())

      const { result } = await client.request('tools/call', {
        name: 'route',
        arguments: { tenant: 'eu' },
      })

      expect(result).toMatchObject({ content: [{ text: '{"tenant":"eu"}' }] })
    })

    test('are named in the list [N07-XHDR-01]', async () => {
      const client = await open(createRouted())

      const { result } = await client.request('tools/list')

      expect(result).toMatchObject({
        tools: [{ inputSchema: { properties: { tenant: { 'x-mcp-header': 'Tenant' } } } }],
      })
    })
  },
  ['memory', 'stdio'],
)

test.each([
  ['an empty name', { type: 'string', 'x-mcp-header': '' }],
  ['a name with a blank', { type: 'string', 'x-mcp-header': 'a b' }],
  ['a name with a colon', { type: 'string', 'x-mcp-header': 'a:b' }],
  ['a name that is no text', { type: 'string', 'x-mcp-header': 7 }],
  ['a number', { type: 'number', 'x-mcp-header': 'A' }],
  ['an object', { type: 'object', 'x-mcp-header': 'A' }],
  ['no type', { 'x-mcp-header': 'A' }],
  ['items', { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } }],
  ['oneOf', { oneOf: [{ type: 'string', 'x-mcp-header': 'A' }] }],
  ['if', { if: { properties: { a: { type: 'string', 'x-mcp-header': 'A' } } } }],
  [
    'twice',
    {
      type: 'object',
      properties: {
        a: { type: 'string', 'x-mcp-header': 'A' },
        b: { type: 'string', 'x-mcp-header': 'a' },
      },
    },
  ],
])(
  'an annotation that cannot be is refused when the tool is registered: %s [N07-XHDR-02]',
  (_, property) => {
    const server = createServer({ name: 'routed', version: '1' })
    const inputSchema = { type: 'object' as const, properties: { property } }

    expect(() => server.tool('route', { inputSchema }, () => 'x')).toThrow(
      expect.objectContaining({ code: 'invalid_definition' }) as Error,
    )
  },
)

test('an annotation behind a reference is refused too [N07-XHDR-02]', () => {
  const server = createServer({ name: 'routed', version: '1' })
  const inputSchema = {
    type: 'object' as const,
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { type: 'string', 'x-mcp-header': 'A' } },
  }

  expect(() => server.tool('route', { inputSchema }, () => 'x')).toThrow(
    expect.objectContaining({ code: 'invalid_definition' }) as Error,
  )
})

test('annotations of a schema library work alike [N07-XHDR-01]', () => {
  const server = createServer({ name: 'routed', version: '1' })
  const tenant = z.string().meta({ 'x-mcp-header': 'Tenant' })

  expect(() => server.tool('route', { inputSchema: z.object({ tenant }) }, () => 'x')).not.toThrow()
})

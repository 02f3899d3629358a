/**
 * The same programs in memory on the official package and on this one: results, errors and notifications are equal.
 *
 * Servers with tools, resources and prompts, low-level servers, clients that are asked, URI templates, and the words of JSON Schema errors.
 */

import type { ElicitResult } from '@parley/compat/types.js'
import { expect, test } from 'vitest'
import * as z from 'zod'
import * as z3 from 'zod/v3'

import { type Sdk, expectSame, outcome } from './both-packages.ts'

/** Connects a client to a server in this process. */
async function connect(
  { client: { Client }, memory: { InMemoryTransport } }: Sdk,
  server: Pick<InstanceType<Sdk['mcp']['McpServer']>, 'connect'>,
  capabilities: object = {},
) {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'c', version: '1' }, { capabilities })
  await server.connect(serverSide)
  await client.connect(clientSide)
  return client
}

test('a server with tools, resources and prompts answers the same', async () => {
  const transcript = await expectSame(async (sdk) => {
    const server = new sdk.mcp.McpServer({ name: 's', version: '1' }, { maxToolInputElements: 10 })
    const text = (value: unknown) => ({
      content: [{ type: 'text' as const, text: JSON.stringify(value) }],
    })
    server.registerTool('numbers', { inputSchema: { n: z.array(z.number()) } }, (args) =>
      text(args),
    )
    server.registerTool('old', { inputSchema: { a: z3.string().default('q') } }, (args) =>
      text(args),
    )
    server.registerTool('strict', { inputSchema: z.object({ a: z.string() }).strict() }, text)
    server.tool('plain', 'described', { readOnlyHint: true }, () => text('plain'))
    server.registerTool('out', { outputSchema: { x: z.number() } }, () => ({
      content: [],
      structuredContent: { x: 'a' },
    }))
    server.registerTool('none', { outputSchema: { x: z.number() } }, () => ({ content: [] }))
    server.registerTool('throws', {}, () => {
      throw new Error('bad')
    })
    const disabled = server.registerTool('disabled', {}, () => text(1))
    disabled.disable()
    server.registerResource('r', 'file:///r', { mimeType: 'text/plain' }, (uri) => ({
      contents: [{ uri: uri.href, text: 'hi' }],
    }))
    server.registerResource(
      'template',
      new sdk.mcp.ResourceTemplate('x://{a}', {
        list: () => ({ resources: [{ name: 'one', uri: 'x://1' }] }),
        complete: { a: (value) => [`${value}1`, `${value}2`] },
      }),
      { title: 'T' },
      (uri, variables) => ({ contents: [{ uri: uri.href, text: JSON.stringify(variables) }] }),
    )
    server.registerPrompt(
      'p',
      { argsSchema: { q: z.string().describe('Q'), o: z.string().optional() } },
      ({ q }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: q } }],
      }),
    )
    const client = await connect(sdk, server)
    const call = (name: string, args?: Record<string, unknown>) =>
      outcome(
        client.request(
          { method: 'tools/call', params: { name, arguments: args } },
          sdk.types.CallToolResultSchema,
        ),
      )
    return [
      client.getServerCapabilities(),
      await outcome(client.listTools()),
      await call('numbers', { n: [1, 2] }),
      await call('numbers', { n: ['x'] }),
      await call('numbers', { n: Array.from({ length: 11 }, () => 1) }),
      await call('numbers'),
      await call('old', {}),
      await call('old', { a: 1 }),
      await call('strict', { a: '1', b: 2 }),
      await call('plain'),
      await call('out'),
      await call('none'),
      await call('throws'),
      await call('disabled'),
      await call('missing'),
      await outcome(client.listResources()),
      await outcome(client.listResourceTemplates()),
      await outcome(client.readResource({ uri: 'file:///r' })),
      await outcome(client.readResource({ uri: 'x://5' })),
      await outcome(client.readResource({ uri: 'file:///no' })),
      await outcome(client.readResource({ uri: '::' })),
      await outcome(
        client.complete({
          ref: { type: 'ref/resource', uri: 'x://{a}' },
          argument: { name: 'a', value: 'v' },
        }),
      ),
      await outcome(client.listPrompts()),
      await outcome(client.getPrompt({ name: 'p', arguments: { q: '1' } })),
      await outcome(client.getPrompt({ name: 'p' })),
      await outcome(client.getPrompt({ name: 'no' })),
      await outcome(client.request({ method: 'no/such' }, z.any())),
    ]
  })

  expect(transcript).toHaveLength(27)
})

test('a declared capability is answered before anything is registered, and after the connection too', async () => {
  await expectSame(async (sdk) => {
    const results = []
    for (const name of ['tools', 'resources', 'prompts', 'logging'] as const) {
      const server = new sdk.mcp.McpServer(
        { name: 's', version: '1' },
        { capabilities: { [name]: {} } },
      )
      const client = await connect(sdk, server)
      results.push(
        client.getServerCapabilities(),
        await outcome(client.listTools()),
        await outcome(client.listResources()),
        await outcome(client.listPrompts()),
        await outcome(() => void server.registerTool('late', {}, () => ({ content: [] }))),
        await outcome(client.listTools()),
      )
    }
    const limited = () =>
      new sdk.mcp.McpServer({ name: 's', version: '1' }, { maxToolInputElements: 0 })
    return [results, await outcome(limited)]
  })
})

test('a low-level server answers the same, also to what is wrong', async () => {
  await expectSame(async (sdk) => {
    const { CallToolRequestSchema, ListToolsRequestSchema, McpError } = sdk.types
    const server = new sdk.server.Server(
      { name: 's', version: '1' },
      { capabilities: { tools: {}, logging: {} } },
    )
    const errors: string[] = []
    server.onerror = ({ message }) => errors.push(message)
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'a', inputSchema: { type: 'object' } }],
      extra: 1,
    }))
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      await extra.sendNotification({
        method: 'notifications/message',
        params: { level: 'info', data: 1 },
      })
      if (params.name === 'mcp') throw new McpError(-32001, 'mine', { a: 1 })
      if (params.name === 'plain') throw Object.assign(new Error('with code'), { code: 7 })
      if (params.name === 'wrong') return { content: 'x' }
      return { answer: params.arguments }
    })
    const client = await connect(sdk, server)
    const notifications: unknown[] = []
    client.fallbackNotificationHandler = async (notification) => {
      notifications.push(notification)
    }
    const results = []
    for (const params of [
      { name: 'a', arguments: { b: 1 } },
      { name: 'mcp' },
      { name: 'plain' },
      { name: 'wrong' },
      {},
    ]) {
      results.push(await outcome(client.request({ method: 'tools/call', params }, z.any())))
    }
    results.push(await outcome(() => server.registerCapabilities({ tools: {} })))
    results.push(
      await outcome(() =>
        server.setRequestHandler(sdk.types.ListPromptsRequestSchema, () => ({ prompts: [] })),
      ),
    )
    results.push(await outcome(server.createMessage({ messages: [], maxTokens: 1 })))
    results.push(
      await outcome(
        server.elicitInput({ message: 'm', requestedSchema: { type: 'object', properties: {} } }),
      ),
    )
    results.push(await outcome(client.listTools()), notifications, errors)
    return results
  })
})

test('a client answers the same to what a server asks', async () => {
  await expectSame(async (sdk) => {
    const { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } = sdk.types
    const server = new sdk.server.Server({ name: 's', version: '1' })
    const client = await connect(sdk, server, {
      elicitation: { form: { applyDefaults: true } },
      sampling: {},
      roots: { listChanged: true },
    })
    let answer: ElicitResult = { action: 'accept', content: { name: 'n' } }
    client.setRequestHandler(ElicitRequestSchema, () => answer)
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'a' },
    }))
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///a' }] }))
    const ask = () =>
      outcome(
        server.elicitInput({
          message: 'm',
          requestedSchema: {
            type: 'object',
            properties: {
              name: { type: 'string', minLength: 1 },
              age: { type: 'integer', default: 3 },
            },
            required: ['name'],
          },
        }),
      )
    const results = [await ask()]
    for (const wrong of [
      { action: 'accept', content: {} },
      { action: 'accept', content: { name: '', age: 1.5 } },
      { action: 'decline' },
      { action: 'other' },
      { action: 'cancel', content: null },
    ]) {
      // Some of these are no answers, which is what is tried.
      answer = wrong as ElicitResult
      results.push(await ask())
    }
    results.push(
      await outcome(
        server.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'q' } }],
          maxTokens: 5,
        }),
      ),
      await outcome(server.createMessage({ messages: [], maxTokens: 5, tools: [] })),
      await outcome(server.listRoots()),
      await outcome(
        server.request(
          {
            method: 'elicitation/create',
            params: { mode: 'url', message: 'm', url: 'https://a', elicitationId: '1' },
          },
          z.any(),
        ),
      ),
    )
    return results
  })
})

test('elements of URI templates are expanded and matched the same', async () => {
  await expectSame(async ({ uriTemplate: { UriTemplate } }) => {
    const results: unknown[] = []
    for (const template of [
      'a{b',
      '{}',
      '{?a,b}',
      '{/a*}',
      '{#x}',
      '{+x}',
      '{.x}',
      '{&x}',
      '{;x}',
      'x://{a}/{b*}',
      '{a,b}',
      's{?a}{?b}',
    ]) {
      results.push(
        await outcome(() => {
          const made = new UriTemplate(template)
          return [
            made.variableNames,
            made.expand({ a: '1 /', b: ['p', 'q/'], x: 'v/w é' }),
            made.expand({}),
          ]
        }),
      )
    }
    for (const [template, uri] of [
      ['x://{a}/{b}', 'x://1/2'],
      ['x://{a}/{b}', 'x://1/2/3'],
      ['x://{+a}', 'x://1/2'],
      ['{?a,b}', '?a=1&b=2'],
      ['s{/a*}', 's/1,2'],
      ['s{#a}', 's#x'],
      ['s{.a}', 's.x'],
      ['{a,b}', '1,2'],
      ['x://a.b/{c}', 'x://aXb/1'],
    ] as const) {
      results.push(await outcome(() => new UriTemplate(template).match(uri)))
    }
    return results
  })
})

test('JSON Schema errors have the words of Ajv for the usual keywords', async () => {
  await expectSame(async ({ ajv: { AjvJsonSchemaValidator } }) => {
    const validate = new AjvJsonSchemaValidator().getValidator({
      type: 'object',
      properties: {
        a: { type: 'string', minLength: 2, maxLength: 9, pattern: '^a', format: 'email' },
        n: { type: 'number', minimum: 1, maximum: 5 },
        e: { enum: ['x'] },
        k: { const: 1 },
        list: {
          type: 'array',
          minItems: 1,
          maxItems: 2,
          uniqueItems: true,
          items: { type: 'integer' },
        },
        one: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        any: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
      required: ['a'],
      additionalProperties: false,
    })
    const a = 'ab@c.de'
    return [
      {},
      { a: 1 },
      { a: 'a' },
      { a: 'ab' },
      { a: 'bb@c.de' },
      { a, n: 0 },
      { a, n: 9 },
      { a, e: 'y' },
      { a, k: 2 },
      { a, list: [] },
      { a, list: [1, 2, 3] },
      { a, list: [1, 1] },
      { a, list: ['x', 2] },
      { a, other: 1 },
      { a, one: true },
      { a, any: true },
      [],
      { other: 1, n: 'x' },
      { a },
    ].map((value) => validate(value))
  })
})

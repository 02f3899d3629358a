import { jsonSchema, resourceLink } from '@parley/mcp'
import { createServer, message, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeStandalone } from '../support/modern-client.ts'

function createEmpty(): Server {
  return createServer({ name: 'features', version: '1', onError: () => undefined })
}

describeStandalone('tools', ({ open }) => {
  test('are listed in one order, that of their registration [N07-TOOL-01]', async () => {
    const server = createEmpty()
    const names = ['zebra', 'ant', 'Mole', 'bee']
    for (const name of names) server.tool(name, {}, () => name)
    const client = await open(server)

    for (let turn = 0; turn < 3; turn += 1) {
      const { result } = await client.request('tools/list')
      const { tools } = result as { tools: { name: string }[] }
      expect(tools.map(({ name }) => name)).toEqual(names)
    }
  })

  test('take an object, described by any keyword, and give what they like [N07-TOOL-02]', async () => {
    const server = createEmpty()
    const inputSchema = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      not: { properties: { kind: { const: 'c' } }, required: ['kind'] },
      dependentRequired: { c: ['kind'] },
      $defs: { d: { $anchor: 'd' } },
    } as const
    const outputSchema = jsonSchema<string[]>({ type: 'array', items: { type: 'string' } })
    server.tool('any', { inputSchema, outputSchema }, (args) => Object.keys(args))
    const client = await open(server)

    const { result } = await client.request('tools/list')
    const fits = await client.request('tools/call', { name: 'any', arguments: { a: 1 } })
    const both = await client.request('tools/call', { name: 'any', arguments: { a: 1, b: 1 } })

    expect(result).toMatchObject({ tools: [{ inputSchema, outputSchema: { type: 'array' } }] })
    expect(fits.result).toMatchObject({ structuredContent: ['a'] })
    expect(both.result).toMatchObject({ isError: true })
    expect(() =>
      server.tool('bad', { inputSchema: { type: 'string' } as never }, () => 'x'),
    ).toThrow()
  })

  test.each([0, '', false, null, [], [1], 'text', { a: 1 }, {}])(
    'may give %j as structured content, also what counts as false [N07-TOOL-03, N07-TOOL-04]',
    async (value) => {
      const server = createEmpty()
      server.tool('give', { outputSchema: jsonSchema<unknown>({}) }, () => value as never)
      const client = await open(server)

      const { result } = await client.request('tools/call', { name: 'give' })

      expect(result).toHaveProperty('structuredContent', value)
      expect(result).toMatchObject({ content: [{ text: JSON.stringify(value) }] })
    },
  )

  test('that break their own output schema fail, whatever its root [N07-TOOL-04]', async () => {
    const server = createEmpty()
    const outputSchema = jsonSchema<number[]>({ type: 'array', items: { type: 'number' } })
    server.tool('wrong', { outputSchema }, () => ['text'] as never)
    const client = await open(server)

    const { result } = await client.request('tools/call', { name: 'wrong' })

    expect(result).toMatchObject({ isError: true })
    expect(result).not.toHaveProperty('structuredContent')
  })

  test('ignore a task that is asked for the old way [N07-TOOL-05]', async () => {
    const server = createEmpty()
    server.tool('plain', {}, () => 'done')
    const client = await open(server)

    const list = await client.request('tools/list')
    const call = await client.request('tools/call', { name: 'plain', task: { ttl: 1 } })

    expect(list.result).not.toHaveProperty('tools.0.execution')
    expect(call.result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] })
  })

  test('that get arguments that do not fit say so to the model [N07-T-05]', async () => {
    const server = createEmpty()
    server.tool('add', { inputSchema: z.object({ a: z.number() }) }, ({ a }) => a)
    const client = await open(server)

    const wrong = await client.request('tools/call', { name: 'add', arguments: { a: 'x' } })
    const malformed = await client.request('tools/call', { name: 'add', arguments: [] })

    expect(wrong.result).toMatchObject({ isError: true })
    expect(malformed.error).toMatchObject({ code: -32602 })
  })

  test.each([
    ['tools', 'tools/list', 'tools'],
    ['prompts', 'prompts/list', 'prompts'],
    ['resources', 'resources/list', 'resources'],
    ['resources', 'resources/templates/list', 'resourceTemplates'],
  ] as const)(
    '%s that were declared are listed, even if there are none [N07-TOOL-08]',
    async (kind, method, member) => {
      const client = await open(createServer({ name: 'empty', version: '1', declares: [kind] }))

      const discovered = await client.request('server/discover')
      const { result } = await client.request(method)

      expect(discovered.result).toMatchObject({ capabilities: { [kind]: {} } })
      expect(result).toMatchObject({ resultType: 'complete', [member]: [] })
    },
  )
})

describeStandalone('servers of one name', ({ open }) => {
  test('are told apart by where they are mounted, not by what they call themselves [N07-TOOL-06]', async () => {
    const outer = createEmpty()
    for (const place of ['left', 'right']) {
      const inner = createServer({ name: 'same', version: '1' })
      inner.tool('run', {}, () => place)
      outer.mount(place, inner)
    }
    const client = await open(outer)

    const { result } = await client.request('tools/list')
    const left = await client.request('tools/call', { name: 'left_run' })
    const right = await client.request('tools/call', { name: 'right_run' })

    expect(result).toMatchObject({ tools: [{ name: 'left_run' }, { name: 'right_run' }] })
    expect(left.result).toMatchObject({ content: [{ text: 'left' }] })
    expect(right.result).toMatchObject({ content: [{ text: 'right' }] })
  })
})

describeStandalone('resources, prompts and completion', ({ open }) => {
  test('a resource that is not there is an error with its URI, never empty contents [N07-RSC-01]', async () => {
    const server = createEmpty()
    server.resource('notes://{id}', {}, () => null)
    const client = await open(server)

    for (const uri of ['notes://1', 'other://1', '']) {
      const { error, result } = await client.request('resources/read', { uri })
      expect(result).toBeUndefined()
      expect(error).toMatchObject({ code: -32602, data: { uri } })
    }
  })

  test('a prompt may link to a resource [N07-PRM-01]', async () => {
    const server = createEmpty()
    const link = resourceLink({ uri: 'notes://1', name: 'one' })
    server.prompt('linked', {}, () => [message('user', link)])
    const client = await open(server)

    const { result } = await client.request('prompts/get', { name: 'linked' })

    expect(result).toMatchObject({
      messages: [
        { role: 'user', content: { type: 'resource_link', uri: 'notes://1', name: 'one' } },
      ],
    })
  })

  test('completion knows a resource by its template and by its URI [N07-CMPL-01]', async () => {
    const server = createEmpty()
    server.resource('notes://{id}', { complete: { id: (value) => [`${value}1`] } }, () => 'x')
    server.resource('fixed://1', {}, () => 'x')
    const client = await open(server)
    const complete = (uri: string) =>
      client.request('completion/complete', {
        ref: { type: 'ref/resource', uri },
        argument: { name: 'id', value: 'a' },
      })

    expect((await complete('notes://{id}')).result).toMatchObject({
      completion: { values: ['a1'] },
    })
    const fixed = await complete('fixed://1')
    const none = await complete('none://1')
    expect([fixed.error?.code, none.error?.code]).toEqual([-32602, -32602])
    expect(fixed.error?.message).toContain('unknown argument') // it was found, and has nothing to complete
    expect(none.error?.message).toContain('unknown')
  })

  test('a page without a next one has no cursor, and an empty cursor is none of ours [N07-PAGE-01]', async () => {
    const server = createServer({ name: 'pages', version: '1', pageSize: 1 })
    server.tool('a', {}, () => 'a')
    server.tool('b', {}, () => 'b')
    const client = await open(server)

    const first = await client.request('tools/list')
    const second = await client.request('tools/list', { cursor: first.result?.['nextCursor'] })
    const empty = await client.request('tools/list', { cursor: '' })

    expect(first.result?.['nextCursor']).toEqual(expect.any(String))
    expect(second.result).not.toHaveProperty('nextCursor')
    expect(empty.error).toMatchObject({ code: -32602 })
  })
})

describeStandalone('logs', ({ open }) => {
  function createLogging(): Server {
    const server = createEmpty()
    server.tool('log', {}, (_, context) => {
      for (const level of ['debug', 'info', 'warning', 'error'] as const) context.log(level, level)
      return 'logged'
    })
    return server
  }
  const logLevel = 'io.modelcontextprotocol/logLevel'

  test('are not sent for a request that does not ask for them, whatever another asked for [N07-LOG-01]', async () => {
    const client = await open(createLogging())

    await client.request('tools/call', { name: 'log' }, { meta: { [logLevel]: 'debug' } })
    const before = client.received.length
    await client.request('tools/call', { name: 'log' })
    await client.quiet()

    expect(client.received.slice(before)).toHaveLength(1)
  })

  test.each([
    ['debug', ['debug', 'info', 'warning', 'error']],
    ['warning', ['warning', 'error']],
    ['emergency', []],
  ])('are sent from the level that is asked for: %s [N07-LOG-02]', async (level, expected) => {
    const client = await open(createLogging())

    await client.request('tools/call', { name: 'log' }, { meta: { [logLevel]: level } })
    await client.quiet()

    const logs = client.received.filter(({ method }) => method === 'notifications/message')
    expect(logs.map(({ params }) => params)).toEqual(
      expected.map((data) => ({ level: data, data })),
    )
  })

  test('are declared [N07-LOG-03]', async () => {
    const client = await open(createLogging())

    const { result } = await client.request('server/discover')

    expect(result).toMatchObject({ capabilities: { logging: {} } })
  })

  test.each(['loud', '', 7, null])(
    'of a level there is not are refused: %j [N07-LOG-04]',
    async (level) => {
      const client = await open(createLogging())

      const { error } = await client.request(
        'tools/call',
        { name: 'log' },
        { meta: { [logLevel]: level } },
      )

      expect(error).toMatchObject({ code: -32602 })
    },
  )
})

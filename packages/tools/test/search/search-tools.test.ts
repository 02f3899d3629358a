import { compileJsonSchema, type CallToolResult, type JsonObject } from '@parley/mcp'
import { createToolIndex, type SearchableTool, toolSearchTools } from '@parley/tools'
import { describe, expect, test } from 'vitest'

import { manyTools } from './many-tools.ts'

interface Made {
  readonly name: string
  readonly args: JsonObject
}

function setUp(where?: (tool: SearchableTool) => boolean) {
  const calls: Made[] = []
  const tools = manyTools(200)
  const three = toolSearchTools(createToolIndex({ tools: () => tools }))
  return {
    calls,
    three,
    async use(name: string, args: JsonObject) {
      const tool = three.find(({ definition }) => definition.name === name)
      const result = await tool?.handle(args, {
        where,
        async call(called, given): Promise<CallToolResult> {
          calls.push({ name: called, args: given })
          return { content: [{ type: 'text', text: 'done' }] }
        },
      })
      const [block] = result?.content ?? []
      return { isError: result?.isError ?? false, text: block?.type === 'text' ? block.text : '' }
    },
  }
}

describe('find_tools', () => {
  test('answers with names, descriptions and arguments, and says how to see more', async () => {
    const { use } = setUp()

    const { text } = await use('find_tools', { query: 'delete customer', limit: 2 })

    const answer = JSON.parse(text)
    expect(answer.tools[0]).toEqual({
      name: 'server0__delete_customer',
      description: expect.stringContaining('delete a customer'),
      arguments: 'id, dryRun?, fields?',
    })
    expect(answer.tools).toHaveLength(2)
    expect(answer.next).toBe(`${answer.total - 2} more: offset 2`)
  })

  test('tells what to do if nothing fits', async () => {
    const { use } = setUp()

    expect(JSON.parse((await use('find_tools', { query: 'xylophone' })).text)).toEqual({
      tools: [],
      total: 0,
      advice: 'nothing fits "xylophone": try other words, or leave out the query to list all tools',
    })
    expect((await use('find_tools', { offset: 500 })).text).toContain('offset below that')
  })

  test('understands numbers as text, and refuses others in words', async () => {
    const { use } = setUp()

    expect(JSON.parse((await use('find_tools', { limit: '3' })).text).tools).toHaveLength(3)
    expect(JSON.parse((await use('find_tools', { limit: 5_000 })).text).tools).toHaveLength(50)
    expect(await use('find_tools', { limit: 'many' })).toEqual({
      isError: true,
      text: '"limit" must be a whole number, 1 or more',
    })
    expect(await use('find_tools', { query: ['a'] })).toEqual({
      isError: true,
      text: '"query" must be a text',
    })
  })
})

describe('describe_tool', () => {
  test('shows the whole definition', async () => {
    const { use } = setUp()

    const { text } = await use('describe_tool', { name: 'server0__get_file' })

    expect(JSON.parse(text)).toMatchObject({ inputSchema: { required: ['id'] } })
  })

  test('names similar tools for one that does not exist', async () => {
    const { use } = setUp()

    const { isError, text } = await use('describe_tool', { name: 'get_file' })

    expect(isError).toBe(true)
    expect(text).toContain('there is no tool "get_file"; similar: server0__get_file')
    expect(text).toContain('Search with find_tools')
  })
})

describe('call_tool', () => {
  test('calls the tool with its arguments', async () => {
    const { use, calls } = setUp()

    const { text } = await use('call_tool', { name: 'server0__get_file', arguments: { id: '7' } })

    expect(text).toBe('done')
    expect(calls).toEqual([{ name: 'server0__get_file', args: { id: '7' } }])
  })

  test.each([
    [{ name: 'nobody' }, 'there is no tool "nobody"'],
    [{ name: 'call_tool' }, 'call_tool is called by itself, not with call_tool'],
    [{}, '"name" is missing'],
    [
      { name: 'server0__get_file', id: '7' },
      'put the arguments of server0__get_file into "arguments": id',
    ],
    [{ name: 'server0__get_file', arguments: 'id=7' }, '"arguments" must be an object'],
  ])('refuses %j', async (args, why) => {
    const { use, calls } = setUp()

    const { isError, text } = await use('call_tool', args)

    expect(isError).toBe(true)
    expect(text).toContain(why)
    expect(calls).toEqual([])
  })

  test('what the caller may not see is not there', async () => {
    const { use, calls } = setUp(({ name }) => !name.includes('secret'))

    expect((await use('call_tool', { name: 'server0__get_secret' })).isError).toBe(true)
    expect((await use('describe_tool', { name: 'server0__get_secret' })).text).not.toContain(
      'similar: server0__get_secret',
    )
    expect(calls).toEqual([])
  })
})

test('the definitions are valid, small and can be renamed', () => {
  const { three } = setUp()

  for (const { definition } of three) {
    expect(() => compileJsonSchema(definition.inputSchema)).not.toThrow()
  }
  expect(JSON.stringify(three.map(({ definition }) => definition)).length).toBeLessThan(2_000)
  const search = createToolIndex({ tools: () => [] })
  const named = toolSearchTools(search, { find: 'look', describe: 'explain', call: 'do' })
  expect(named.map(({ definition }) => definition.name)).toEqual(['look', 'explain', 'do'])
  expect(named[0]?.definition.description).toContain('with do.')
})

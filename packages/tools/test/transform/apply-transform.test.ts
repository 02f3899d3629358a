import { connect, toolOutput } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { applyTransform, withToolSearch, type TransformError, transformTools } from '@parley/tools'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const rules = {
  search_code: { hide: true },
  create_issue: {
    name: 'report_bug',
    description: 'Reports a bug in our project',
    arguments: { repo: { value: 'acme/app' }, title: { name: 'summary' } },
  },
} as const

function createTracker() {
  const server = createServer({ name: 'tracker', version: '1.0.0' })
  const inputSchema = z.object({ repo: z.string(), title: z.string() })
  server.tool('create_issue', { inputSchema }, ({ repo, title }) => `${repo}: ${title}`)
  server.tool('search_code', {}, () => 'found')
  server.tool('ping', {}, () => 'pong')
  return server
}

describe.each(['server', 'client'] as const)('applied to a %s', (where) => {
  async function open() {
    const transform = transformTools(rules)
    if (where === 'server') return connect(applyTransform(createTracker(), transform))
    return applyTransform(await connect(createTracker()), transform)
  }

  test('lists and calls tools as the rules say', async () => {
    await using client = await open()

    const tools = await client.listTools().toArray()

    expect(tools.map(({ name }) => name)).toEqual(['report_bug', 'ping'])
    expect(tools[0]?.description).toBe('Reports a bug in our project')
    expect(Object.keys(tools[0]?.inputSchema['properties'] ?? {})).toEqual(['summary'])
    expect(toolOutput(await client.callTool('report_bug', { summary: 'it fails' }))).toBe(
      'acme/app: it fails',
    )
    expect(toolOutput(await client.callTool('ping'))).toBe('pong')
  })

  test('refuses hidden tools, old names and hidden arguments', async () => {
    await using client = await open()

    await expect(client.callTool('search_code')).rejects.toMatchObject({ code: 'invalid_params' })
    await expect(client.callTool('create_issue')).rejects.toThrow('unknown tool: create_issue')
    const forged = await client.callTool('report_bug', { summary: 'x', repo: 'evil/app' })
    expect(forged).toMatchObject({ isError: true, content: [{ text: 'unknown argument "repo"' }] })
  })
})

test('pages of a client are changed one by one', async () => {
  const server = createServer({ name: 'paged', version: '1.0.0', pageSize: 1 })
  for (const name of ['a', 'b', 'c']) server.tool(name, {}, () => name)
  const transform = transformTools({ b: { hide: true }, c: { name: 'd' } })
  const client = applyTransform(await connect(server), transform)

  const names: string[] = []
  for await (const { name } of client.listTools()) names.push(name)
  const first = await client.listTools().page()
  const second = await client.listTools().page(first.nextCursor)
  await client.close()

  expect(names).toEqual(['a', 'd'])
  expect(first.items.map(({ name }) => name)).toEqual(['a'])
  expect(second.items).toEqual([])
  expect(second.nextCursor).toBeDefined()
})

test('a server with rules that do not fit is an error when they are applied', () => {
  const typo = transformTools({ create_isue: { hide: true } })
  const argument = transformTools({ create_issue: { arguments: { repository: { hide: true } } } })

  expect(() => applyTransform(createTracker(), typo)).toThrow(
    'there is no such tool; there are create_issue',
  )
  expect(() => applyTransform(createTracker(), typo, { missing: 'ignore' })).not.toThrow()
  expect(() => applyTransform(createTracker(), argument, { missing: 'ignore' })).toThrow(
    'no such argument',
  )
})

test('a tool that comes later and does not fit is left out and told', async () => {
  const problems: TransformError[] = []
  const transform = transformTools({ late: { arguments: { x: { value: 1 } } } })
  const server = applyTransform(createTracker(), transform, {
    missing: 'ignore',
    onProblem: (problem) => problems.push(problem),
  })
  await using client = await connect(server)
  server.tool('late', {}, () => '')

  const tools = await client.listTools().toArray()

  expect(tools).toHaveLength(3)
  expect(problems).toMatchObject([{ tool: 'late', argument: 'x' }])
})

test('a search in front finds what the rules expose', async () => {
  const server = applyTransform(withToolSearch(createTracker()), transformTools(rules))
  await using client = await connect(server)

  const found = JSON.parse(
    String(toolOutput(await client.callTool('find_tools', { query: 'bug' }))),
  )
  expect(found.tools).toMatchObject([{ name: 'report_bug', arguments: 'summary' }])
  const args = { name: 'report_bug', arguments: { summary: 'it fails' } }
  expect(toolOutput(await client.callTool('call_tool', args))).toBe('acme/app: it fails')
  expect((await client.callTool('call_tool', { name: 'search_code' })).isError).toBe(true)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { gatewayOptions, loadGatewayConfig } from '@parley/gateway'
import type { Client } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { open, serveTest, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'

const three = ['find_tools', 'describe_tool', 'call_tool']
const eras = ['legacy', 'modern'] as const

/** A server with many tools, of which each says its name. */
function many(count: number): Server {
  const server = createServer({ name: 'many', version: '1.0.0' })
  for (let at = 0; at < count; at += 1) {
    const description = at === 7 ? 'Books a flight to another city' : `Does thing number ${at}`
    server.tool(`tool_${at}`, { description }, () => `this is ${at}`)
  }
  return server
}

const names = async (client: Client) => (await client.listTools().toArray()).map(({ name }) => name)

async function found(client: Client, query: string): Promise<readonly string[]> {
  const answer = textOf(await client.callTool('find_tools', { query, limit: 50 }))
  const { tools } = JSON.parse(answer) as { readonly tools: readonly { readonly name: string }[] } // ours
  return tools.map(({ name }) => name)
}

test.each(eras)(
  'three tools stand for many, and call them by their names (%s)',
  async (protocolVersion) => {
    await using service = await serveTest(many(30))
    await using gateway = await startTestGateway({
      servers: { one: { url: service.url.href } },
      search: { mode: 'on', pinned: ['one__tool_3'] },
    })
    await using client = await open(gateway, { protocolVersion })

    expect(await names(client)).toEqual([...three, 'one__tool_3'])
    expect((await found(client, 'book a flight'))[0]).toBe('one__tool_7')
    const described = textOf(await client.callTool('describe_tool', { name: 'one__tool_7' }))
    expect(JSON.parse(described)).toMatchObject({ name: 'one__tool_7', inputSchema: {} })
    const called = await client.callTool('call_tool', { name: 'one__tool_7', arguments: {} })
    expect(textOf(called)).toBe('this is 7')
    expect(textOf(await client.callTool('one__tool_8'))).toBe('this is 8') // as before
  },
)

test('auto offers it beyond the threshold, by what the caller may see', async () => {
  await using service = await serveTest(many(12))
  const servers = { one: { url: service.url.href } }
  await using gateway = await startTestGateway({ servers, search: { mode: 'auto', above: 11 } })
  await using client = await open(gateway)

  expect(await names(client)).toEqual(three)
  gateway.reload({ servers, search: { mode: 'auto', above: 12 } })
  expect(await names(client)).toHaveLength(12)
  await expect(client.callTool('find_tools', {})).rejects.toThrow(/has no tool "find_tools"/)
  gateway.reload({ servers, search: { mode: 'auto' } })
  expect(await names(client)).toHaveLength(12)
})

test.each(eras)(
  'what a rule refuses is neither found nor described nor called, and the audit names it (%s)',
  async (protocolVersion) => {
    const folder = folderWith({})
    await using service = await serveTest(many(20))
    const { config, problems } = await loadGatewayConfig(
      join(
        folderWith({
          'gateway.yaml': `
servers:
  one: { url: "${service.url.href}", tools: { tool_5: { name: fifth }, tool_6: { hide: true } } }
search: on
policy: ["mcp.tool.name != 'tool_7'"]
audit: { file: "${join(folder, 'audit.jsonl')}" }
`,
        }),
        'gateway.yaml',
      ),
    )
    expect(problems).toEqual([])
    await using gateway = await startTestGateway({ ...gatewayOptions(config), port: 0 })
    await using client = await open(gateway, { protocolVersion })

    const all = await found(client, '')
    const described = await client.callTool('describe_tool', { name: 'one__tool_7' })
    const called = await client.callTool('call_tool', { name: 'one__tool_7' })
    const hidden = await client.callTool('call_tool', { name: 'one__tool_6' })
    const missing = await client.callTool('call_tool', { name: 'one__tool_77' })
    const renamed = await client.callTool('call_tool', { name: 'fifth' })
    await config.audit?.[Symbol.asyncDispose]()

    expect(all).toHaveLength(18)
    expect(all).toContain('fifth')
    expect(all).not.toContain('one__tool_7')
    expect(described.isError).toBe(true)
    expect(called.isError).toBe(true)
    expect(textOf(called)).toContain('one__tool_7')
    expect(textOf(called)).not.toContain('this is 7')
    expect(hidden.isError).toBe(true)
    expect(textOf(missing)).not.toContain('one__tool_7,')
    expect(textOf(renamed)).toBe('this is 5')
    const written = readFileSync(join(folder, 'audit.jsonl'), 'utf8')
    expect(written).toContain('tool_7')
    expect(written).toContain('tool_5')
    expect(written).not.toContain('call_tool')
  },
)

test('a changed list is found at once', async () => {
  const server = many(3)
  await using service = await serveTest(server)
  await using gateway = await startTestGateway({
    servers: { one: { url: service.url.href } },
    search: { mode: 'on' },
  })
  await using client = await open(gateway)
  expect(await found(client, 'umbrella')).toEqual([])

  server.tool('rain', { description: 'Finds an umbrella' }, () => 'here')
  server.notifyChanged('tools')

  await vi.waitFor(async () => expect(await found(client, 'umbrella')).toEqual(['one__rain']))
})

test.each([
  [
    'search: maybe',
    'search is not understood: "maybe" | Use auto, on, off, or { mode, above, pinned }.',
  ],
  ['search: { mode: auto, over: 5 }', 'search.over is unknown | Use mode, above, pinned.'],
  [
    'search: { above: many }',
    'search.above is out of range: "many" | Write a whole number from 0 to 999999.',
  ],
  [
    'profiles: { p: { search: 7 } }',
    'profiles.p.search is not understood: 7 | Use auto, on, off, or { mode, above, pinned }.',
  ],
])('says what is wrong with %s', async (line, expected) => {
  const text = `servers:\n  a: { command: x }\n${line}\n`
  const { problems } = await loadGatewayConfig(join(folderWith({ 'g.yaml': text }), 'g.yaml'))

  expect(problems.map((each) => `${each.key} ${each.message} | ${each.fix}`)).toEqual([expected])
  expect(problems[0]?.line).toBe(3)
})

test('a profile has a search of its own', async () => {
  const text = 'servers:\n  a: { command: x }\nsearch: auto\nprofiles:\n  p: { search: off }\n'
  const { config } = await loadGatewayConfig(join(folderWith({ 'g.yaml': text }), 'g.yaml'))

  expect(gatewayOptions(config).search).toEqual({ mode: 'auto' })
  expect(gatewayOptions(config, 'p').search).toEqual({ mode: 'off' })
})

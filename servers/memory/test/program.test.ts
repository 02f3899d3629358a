import { spawn, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { connect, type UrlEntry } from '@parley/mcp/client'
import { describe, expect, onTestFinished, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { entity, entityLine, freshFile } from './support.ts'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The program behind an address. */
async function listen(file: string, transport: 'http' | 'sse' | 'ws'): Promise<UrlEntry> {
  const args = [program, '--file', file, '--transport', transport, '--port', '0']
  const child = spawn(execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill())
  for await (const line of createInterface(child.stderr)) {
    const [url = ''] = /(?:http|ws)s?:\S+/.exec(line) ?? []
    if (url === '') continue
    return transport === 'sse' ? { type: 'sse', url } : { url }
  }
  throw new Error('it ended before it listened')
}

describe.each(triedRevisions)('the program, in %s', (protocolVersion) => {
  test('serves the process that started it', async () => {
    const file = await freshFile()
    const entry = { command: execPath, args: [program], env: { MEMORY_FILE_PATH: file } }
    await using client = await connect(entry, { protocolVersion })

    await client.callTool('create_entities', { entities: [entity('Ada')] })

    expect(client.negotiated).toMatchObject({ revision: protocolVersion, transport: 'stdio' })
    expect(await readFile(file, 'utf8')).toBe(`${entityLine('Ada')}\n`)
  })
})

test.each(['http', 'ws', 'sse'] as const)(
  'the program serves %s in every revision that has it',
  async (transport) => {
    const entry = await listen(await freshFile(), transport)
    const eras = triedRevisions.filter((era) => transport !== 'sse' || era < '2026-07-28')

    for (const protocolVersion of eras) {
      await using client = await connect(entry, { protocolVersion })
      await client.callTool('create_entities', { entities: [entity(protocolVersion)] })
      const { contents } = await client.readResource('memory://knowledge-graph')
      expect(JSON.stringify(contents)).toContain(protocolVersion)
    }
  },
)

const started = (file: string) => ({
  command: execPath,
  args: [program],
  env: { MEMORY_FILE_PATH: file },
})

test('the first official client drives it', async () => {
  const client = new ClientV1({ name: 'official', version: '1.0.0' })
  await client.connect(new StdioV1(started(await freshFile())))
  onTestFinished(() => client.close())

  const created = await client.callTool({
    name: 'create_entities',
    arguments: { entities: [entity('Ada')] },
  })
  const { tools } = await client.listTools()
  const read = await client.readResource({ uri: 'memory://knowledge-graph' })

  expect(created.structuredContent).toEqual({ entities: [entity('Ada')] })
  expect(tools).toHaveLength(9)
  expect(JSON.stringify(read)).toContain('Ada')
})

test('the second official client drives it', async () => {
  const client = new ClientV2({ name: 'official', version: '2.0.0' })
  await client.connect(new StdioV2(started(await freshFile())))
  onTestFinished(() => client.close())

  const created = await client.callTool({
    name: 'create_entities',
    arguments: { entities: [entity('Ada')] },
  })
  const { tools } = await client.listTools()

  expect(created.structuredContent).toEqual({ entities: [entity('Ada')] })
  expect(tools).toHaveLength(9)
})

test('with --read-only it shows what is there and changes nothing', async () => {
  const file = await freshFile()
  await writeFile(file, `${entityLine('Ada')}\n`)
  await using client = await connect({
    command: execPath,
    args: [program, '--read-only', '--file', file],
  })

  const names = (await client.listTools().toArray()).map(({ name }) => name)

  expect(names).toEqual(['read_graph', 'search_nodes', 'open_nodes'])
  await expect(client.callTool('delete_entities', { entityNames: ['Ada'] })).rejects.toThrow()
})

test.each([
  [['--enable', 'telepathy'], '--enable takes'],
  [['--file', '/tmp/.bashrc'], 'does not look like a memory file'],
])('refuses %o', (args, why) => {
  const { status, stderr } = spawnSync(execPath, [program, ...args], {
    encoding: 'utf8',
    input: '',
  })

  expect(status).toBe(1)
  expect(stderr).toContain(why)
})

import { spawn, spawnSync } from 'node:child_process'
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
import { freshFolder, freshWork, textsOf } from './support.ts'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The program behind an address. */
async function listen(repository: string, transport: string): Promise<UrlEntry> {
  const args = [program, '-r', repository, '--transport', transport, '--port', '0']
  const child = spawn(execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill())
  for await (const line of createInterface(child.stderr)) {
    const [url = ''] = /(?:http|ws)s?:\S+/.exec(line) ?? []
    if (url !== '') return transport === 'sse' ? { type: 'sse', url } : { url }
  }
  throw new Error('it ended before it listened')
}

describe.each(triedRevisions)('the program, in %s', (protocolVersion) => {
  test('serves the process that started it', async () => {
    const { folder } = await freshWork()
    const entry = { command: execPath, args: [program, '--repository', folder, '-v'] }
    await using client = await connect(entry, { protocolVersion })

    const result = await client.callTool('git_status', { repo_path: folder })

    expect(client.negotiated).toMatchObject({ revision: protocolVersion, transport: 'stdio' })
    expect(textsOf(result)[0]).toContain('Repository status:\nOn branch main')
  })
})

test.each(['http', 'ws', 'sse'])(
  'the program serves %s in every revision that has it',
  async (transport) => {
    const { folder } = await freshWork()
    const entry = await listen(folder, transport)
    const eras = triedRevisions.filter((era) => transport !== 'sse' || era < '2026-07-28')

    for (const protocolVersion of eras) {
      await using client = await connect(entry, { protocolVersion })
      const result = await client.callTool('git_log', { repo_path: folder, max_count: 1 })
      const { contents } = await client.readResource('git://work/HEAD/b.txt')
      expect(textsOf(result)[0]).toContain('Message: second')
      expect(contents).toMatchObject([{ text: 'b\n' }])
    }
  },
)

test('the first official client drives it', async () => {
  const { folder } = await freshWork()
  const client = new ClientV1({ name: 'official', version: '1.0.0' })
  await client.connect(new StdioV1({ command: execPath, args: [program] }))
  onTestFinished(() => client.close())

  const status = await client.callTool({ name: 'git_status', arguments: { repo_path: folder } })
  const { tools } = await client.listTools()

  expect(status.structuredContent).toMatchObject({ branch: 'main' })
  expect(tools).toHaveLength(12)
})

test('the second official client drives it', async () => {
  const { folder } = await freshWork()
  const client = new ClientV2({ name: 'official', version: '2.0.0' })
  await client.connect(new StdioV2({ command: execPath, args: [program] }))
  onTestFinished(() => client.close())

  const status = await client.callTool({ name: 'git_status', arguments: { repo_path: folder } })
  const { tools } = await client.listTools()

  expect(status.structuredContent).toMatchObject({ branch: 'main' })
  expect(tools).toHaveLength(12)
})

test('with --read-only it changes nothing, not even with --enable', async () => {
  const { folder } = await freshWork()
  const args = [program, '--read-only', '-r', folder, '--enable', 'stash,push,blame']
  await using client = await connect({ command: execPath, args })

  const names = (await client.listTools().toArray()).map(({ name }) => name)

  expect(names.toSorted()).toEqual([
    'git_blame',
    'git_branch',
    'git_diff',
    'git_diff_staged',
    'git_diff_unstaged',
    'git_log',
    'git_show',
    'git_status',
  ])
})

test.each([
  [['--enable', 'bisect'], '--enable takes'],
  [['--http', '0'], '--repository must say'],
])('refuses %o', (args, why) => {
  const { status, stderr } = spawnSync(execPath, [program, ...args], {
    encoding: 'utf8',
    input: '',
  })

  expect(status).toBe(1)
  expect(stderr).toContain(why)
})

test('ends when its repository is none', async () => {
  const folder = await freshFolder()

  const { status, stderr } = spawnSync(execPath, [program, '-r', folder], {
    encoding: 'utf8',
    input: '',
  })

  expect(status).toBe(1)
  expect(stderr).toContain('is not a git repository')
})

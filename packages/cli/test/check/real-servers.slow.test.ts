import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { revisions } from '@parley/mcp'
import { serveHttp } from '@parley/mcp/node'
import { serveStdio } from '@parley/mcp/stdio'
import { createEverythingServer } from '@parley/server-everything'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { isThorough } from '../../../../test-support/thorough.ts'
import { checkedRevisions } from '../../src/check/revisions.ts'
import { openHttpLink } from '../../src/probe/http-link.ts'
import { openStdioLink } from '../../src/probe/stdio-link.ts'
import { repositoryFile } from '../run.ts'
import { brokenIds, inProcess } from './broken-server.ts'

async function brokenBy(file: string, ...args: readonly string[]): Promise<readonly string[]> {
  const folder = folderWith({ 'notes.txt': 'one' })
  execFileSync('git', ['init', '-q', folder])
  const command = {
    command: execPath,
    args: [file, ...args.map((argument) => argument.replace('FOLDER', folder))],
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  }
  return brokenIds({ kind: 'stdio', open: () => openStdioLink(command) })
}

test.each(revisions)('our everything server breaks nothing over HTTP in %s', async (revision) => {
  await using service = await serveHttp(createEverythingServer(), { port: 0, ownsProcess: false })
  const { href } = service.url
  const isModern = revision === checkedRevisions.modern
  const supported = isModern
    ? { legacy: undefined, modern: revision }
    : { legacy: revision, modern: undefined }

  const broken = await brokenIds({ kind: 'http', open: async () => openHttpLink(href) }, supported)

  expect(broken).toEqual([])
})

test('our everything server breaks nothing over stdio', async () => {
  const broken = await brokenIds(
    inProcess((input, output, exit) => {
      const service = serveStdio(createEverythingServer(), { input, output, drainMs: 0 })
      void service.closed.finally(exit)
    }),
  )

  expect(broken).toEqual([])
})

type RealServer = readonly [name: string, args: readonly string[], broken: readonly string[]]

/** A process for each of some fifty attempts; what the SDK makes of them is the same in all of our servers. */
const ours: readonly RealServer[] = [
  // It answers in the words of the reference server, where the text is no JSON of what is structured.
  ['filesystem', ['FOLDER'], ['TOOL-15']],
  ['fetch', [], []],
  ['git', ['--repository', 'FOLDER'], []],
  ['memory', [], []],
  ['sequential-thinking', [], []],
  ['time', [], []],
  ['everything', ['stdio'], []],
]

test.each(isThorough ? ours : ours.slice(0, 1))(
  'our %s server breaks nothing it does not mean to',
  async (name, args, broken) => {
    const file = repositoryFile(`servers/${name}/dist/main.js`)

    expect(await brokenBy(file, ...args)).toEqual(broken)
  },
)

// What the SDK they are made with does: tools/list is served before initialize, and any cursor is taken.
const ofTheSdk = ['LIFE-01', 'PAGE-10']
/** Its answer to a level that is none is -32603. */
const ofEverything = [...ofTheSdk, 'LOG-07']

/** What is used of its module, which has no types. */
interface OfficialEverything {
  createServer(): {
    readonly server: Pick<McpServer, 'connect' | 'close'>
    cleanup(): void
  }
}

test('the official everything server breaks what it is known to break, and nothing else', async () => {
  const path = import.meta.resolve('@modelcontextprotocol/server-everything/dist/server/index.js')
  const { createServer } = (await import(path)) as OfficialEverything // what its own program calls

  const broken = await brokenIds(
    inProcess((stdin, stdout, exit) => {
      const { server, cleanup } = createServer()
      void server.connect(new StdioServerTransport(stdin, stdout))
      stdin.once('end', () => {
        cleanup()
        void server.close().finally(exit)
      })
    }),
  )

  expect(broken.toSorted()).toEqual(ofEverything.toSorted())
})

const official: readonly RealServer[] = [
  ['everything', ['stdio'], ofEverything],
  // Its text is no JSON of what is structured.
  ['filesystem', ['FOLDER'], [...ofTheSdk, 'TOOL-15']],
  ['memory', [], ofTheSdk],
]

test.each(isThorough ? official : [])(
  'the official %s server breaks that as a command',
  async (name, args, broken) => {
    const path = `@modelcontextprotocol/server-${name}/dist/index.js`
    const file = fileURLToPath(import.meta.resolve(path))

    expect((await brokenBy(file, ...args)).toSorted()).toEqual(broken.toSorted())
  },
)

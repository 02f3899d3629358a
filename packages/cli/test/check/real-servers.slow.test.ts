import { fileURLToPath } from 'node:url'

import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'
import { expect, test } from 'vitest'

import { openHttpLink } from '../../src/probe/http-link.ts'
import { openStdioLink } from '../../src/probe/stdio-link.ts'
import { brokenIds } from './broken-server.ts'

const officialFile = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)

test('our everything server breaks nothing over HTTP', async () => {
  await using service = await serveHttp(createEverythingServer(), { port: 0, ownProcess: false })
  const { href } = service.url

  expect(await brokenIds({ kind: 'http', open: async () => openHttpLink(href) })).toEqual([])
}, 60_000)

test('the official everything server breaks what it is known to break, and nothing else', async () => {
  const open = () => openStdioLink({ command: process.execPath, args: [officialFile] })

  // Each was looked at: it serves tools/list before initialize, answers -32603 to a wrong level, takes any cursor.
  expect(await brokenIds({ kind: 'stdio', open })).toEqual(['LIFE-01', 'LOG-07', 'PAGE-10'])
}, 60_000)

import type { Revision } from '@parley/mcp'
import { connect, type UrlEntry } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { createFilesystemServer } from '../src/filesystem.ts'
import { createPlace, textOf } from './support.ts'

const routes = ['http', 'ws', 'sse'] as const
const cases = routes.flatMap((route) =>
  triedRevisions
    .filter((revision) => route !== 'sse' || revision < '2026-07-28')
    .map((revision): readonly [(typeof routes)[number], Revision] => [route, revision]),
)

test.each(cases)('over %s, in %s', async (route, protocolVersion) => {
  await using place = await createPlace({ 'one/a.txt': 'text', 'b.txt': '' })
  const server = await createFilesystemServer({ directories: [place.root] })
  await using service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    websocket: route === 'ws',
    legacySse: route === 'sse',
  })
  const { href } = service.url
  const entries: Record<typeof route, UrlEntry> = {
    http: { type: 'http', url: href },
    ws: { type: 'ws', url: href.replace(/^http/, 'ws') },
    sse: { type: 'sse', url: `${href}/sse` },
  }
  await using client = await connect(entries[route], { protocolVersion, roots: [place.at('one')] })

  expect(client.negotiated.revision).toBe(protocolVersion)
  expect(await client.listTools().toArray()).toHaveLength(14)
  expect(textOf(await client.callTool('read_text_file', { path: 'a.txt' }))).toBe('text')
  const outside = await client.callTool('read_text_file', { path: place.at('b.txt') })
  expect(textOf(outside)).toMatch(/^Access denied/)
  await client.callTool('write_file', { path: 'new.txt', content: 'x' })
  const found = await client.callTool('search_files', { path: '.', pattern: '**' })
  expect(textOf(found)).toBe(`${place.at('one/a.txt')}\n${place.at('one/new.txt')}`)
})

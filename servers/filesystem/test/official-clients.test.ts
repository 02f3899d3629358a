/** The official clients, of both generations, use the program. */

import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'

import { createPlace, type Place } from './support.ts'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** What both generations have in common, as far as it is used here. */
interface OfficialClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

async function openV1(place: Place): Promise<OfficialClient> {
  const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities: { roots: {} } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: rootsOf(place) }))
  await client.connect(new StdioV1({ command: execPath, args: [program, place.at('one')] }))
  return client
}

function openV2(mode: 'legacy' | 'auto') {
  return async (place: Place): Promise<OfficialClient> => {
    const client = new ClientV2(
      { name: 'v2', version: '1' },
      { capabilities: { roots: {} }, versionNegotiation: { mode } },
    )
    client.setRequestHandler('roots/list', () => ({ roots: rootsOf(place) }))
    await client.connect(new StdioV2({ command: execPath, args: [program, place.at('one')] }))
    return client
  }
}

function rootsOf(place: Place): { uri: string }[] {
  return [{ uri: `file://${place.at('two')}` }]
}

test.each([
  ['v1', openV1],
  ['v2 by handshake', openV2('legacy')],
  ['v2 in 2026-07-28', openV2('auto')],
])('%s', async (_name, openClient) => {
  await using place = await createPlace({ 'one/a.txt': 'a', 'two/b.txt': 'b' })
  const client = await openClient(place)
  try {
    const { tools } = await client.listTools()
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args })

    expect(tools).toHaveLength(14)
    expect(await call('read_text_file', { path: 'b.txt' })).toMatchObject({
      content: [{ type: 'text', text: 'b' }],
      structuredContent: { content: 'b' },
    })
    await call('write_file', { path: 'c.txt', content: 'c' })
    expect(await call('list_directory', { path: '.' })).toMatchObject({
      structuredContent: { content: '[FILE] b.txt\n[FILE] c.txt' },
    })
    expect(await call('read_text_file', { path: place.at('one/a.txt') })).toMatchObject({
      isError: true,
    })
  } finally {
    await client.close()
  }
})

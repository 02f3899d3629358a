import { join } from 'node:path'

import type { Client } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { pinningCheck } from '../../src/checks/pinning/pinning.ts'
import { open } from '../gateway/running.ts'
import { openClient, startPage } from './running-page.ts'

const enforced =
  'servers:\n  notes: { url: UPSTREAM }\npinning: { mode: enforce, file: pins.json }\n'

function hiding() {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('read', { description: 'Reads\u202e notes' }, () => 'some notes')
  server.tool('write', { description: 'Writes' }, () => 'written')
  server.resource('notes://one', { name: 'one' }, () => 'one') // not pinned, so nobody is kept out
  return server
}

/** What the client learns without asking by itself. */
async function untilListed(client: Client, name: string): Promise<readonly string[]> {
  for await (const tools of client.watch('tools')) {
    const names = tools.map((tool) => tool.name)
    if (names.includes(name)) return names
  }
  return []
}

test.each(['legacy', 'modern'] as const)(
  'what is approved on the page is told to connected clients, and they can use it (%s)',
  async (protocolVersion) => {
    await using running = await startPage(enforced, { server: hiding() })
    await using client = await open(running.gateway, { protocolVersion })
    await using page = await openClient(running)
    const before = await client.listTools().toArray()
    await running.config().operated.pinning?.flush()
    const waiting = await page.ask('quarantine/list', {})
    const read = waiting.find(({ name }) => name === 'read')
    const listed = untilListed(client, 'notes__read')

    await page.ask('quarantine/approve', { id: read?.id ?? '' })

    expect(before).toEqual([])
    expect(read).toMatchObject({
      reason: 'new',
      warnings: ['It has marks that change the direction of text.'],
    })
    expect(await listed).toEqual(['notes__read'])
    expect((await page.ask('quarantine/list', {})).map(({ name }) => name)).toEqual(['write'])
  },
  120_000,
)

test('what another process approves is told to connected clients too', async () => {
  await using running = await startPage(enforced, { server: hiding() })
  await using client = await open(running.gateway)
  await client.listTools().toArray()
  await running.config().operated.pinning?.flush()
  const listed = untilListed(client, 'notes__write')
  const other = pinningCheck({ file: join(running.folder, 'pins.json'), mode: 'enforce' })
  const found = other.listQuarantine().find(({ name }) => name === 'write')

  await other.approve(found?.id ?? '')

  expect(await listed).toEqual(['notes__write'])
})

test('what is rejected is hidden, and an id that is gone is refused', async () => {
  await using running = await startPage(enforced.replace('enforce', 'warn'), { server: hiding() })
  await using client = await open(running.gateway)
  await client.listTools().toArray()
  await running.config().operated.pinning?.flush()
  await using page = await openClient(running)
  const [first] = await page.ask('quarantine/list', {})

  await page.ask('quarantine/reject', { id: first?.id ?? '' })

  const names = (await client.listTools().toArray()).map(({ name }) => name)
  expect(names).toHaveLength(1)
  expect(names).not.toContain(`notes__${first?.name}`)
  await expect(page.ask('quarantine/approve', { id: 'nothing' })).rejects.toThrow(
    'nothing in the quarantine has the id nothing',
  )
})

import { readFileSync, writeFileSync } from 'node:fs'

import { expect, test, vi } from 'vitest'

import type { MatrixClient, Target } from '../../../../../test-support/peers/client.ts'
import { features, findLack, patience } from '../../../../../test-support/peers/features.ts'
import { openOfficialV1Client } from '../../../../../test-support/peers/official-v1-client.ts'
import { openOfficialV2Client } from '../../../../../test-support/peers/official-v2-client.ts'
import { openOurClient } from '../../../../../test-support/peers/our-client.ts'
import { servers, startServer, type Channel } from '../../../../../test-support/peers/servers.ts'
import { isThorough } from '../../../../../test-support/thorough.ts'
import { replaceResults, type Cell, type Outcome } from './page.ts'

const clients: Readonly<Record<string, (target: Target) => Promise<MatrixClient>>> = {
  ours: openOurClient,
  'official, generation 1': openOfficialV1Client,
  'official, generation 2, legacy': openOfficialV2Client('legacy'),
  'official, generation 2, auto': openOfficialV2Client('auto'),
}
const channels: readonly Channel[] = ['stdio', 'HTTP']
const all = servers.flatMap((server) =>
  Object.entries(clients).flatMap(([client, open]) =>
    channels.map((channel) => ({ server, client, open, channel })),
  ),
)
/** What official ones do with each other is on the page, but shows nothing about ours. */
const isWhole = isThorough || process.env['UPDATE_DOCS'] !== undefined
const pairs = all.filter(
  ({ server, client }) => isWhole || client === 'ours' || server.name === 'ours',
)
const page = new URL('../../../../../docs/internals/interoperability.md', import.meta.url)
/** By pair, since pairs end in any order. */
const results = new Map<object, readonly Cell[]>()

for (const pair of pairs) {
  const { server, client: clientName, open, channel } = pair
  const name = `client (${clientName}) and server (${server.name}) over ${channel} do all that both can`

  test.concurrent(name, async () => {
    const cells: Cell[] = []
    const failures: string[] = []
    const keep = (row: string, outcome: Outcome) =>
      void cells.push({ row, server: server.name, client: clientName, channel, outcome })
    using started = await startServer(server, channel)
    await using client = await open(started.target)
    const tools = await settleTools(client)
    keep('revision', { kind: 'settled', revision: client.revision })

    for (const { name: row, needs, check } of features) {
      try {
        const why = await findLack(client, needs, tools)
        if (why === undefined) await check(client)
        keep(row, why === undefined ? { kind: 'works' } : { kind: 'lacking', why })
      } catch (error) {
        failures.push(`${row}: ${String(error)}`)
      }
    }

    expect(failures).toEqual([])
    // What official clients find wrong with official servers is between them.
    if (clientName === 'ours' || server.name === 'ours') {
      expect(client.received.complaints).toEqual([])
    }
    results.set(pair, cells)
  })
}

/** Some servers add tools a moment after the handshake, when they know what the client can. */
async function settleTools(client: MatrixClient): Promise<readonly string[]> {
  const complete = vi.waitFor(async () => {
    const tools = await client.listTools()
    expect(tools).toContain('trigger-sampling-request')
    return tools
  }, patience)
  return complete.catch(() => client.listTools()) // its row will say what is missing
}

// The page is about all pairs.
if (isWhole) {
  test('docs/internals/interoperability.md says what was found', ({ skip }) => {
    skip(results.size < all.length, 'a pair has failed')
    const said = readFileSync(page, 'utf8')
    const cells = pairs.flatMap((pair) => results.get(pair) ?? [])
    const found = replaceResults(said, cells)

    if (process.env['UPDATE_DOCS']) writeFileSync(page, found)
    else expect(said, 'UPDATE_DOCS=1 writes it').toBe(found)
  })
}

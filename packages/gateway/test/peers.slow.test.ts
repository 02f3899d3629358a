import { execPath } from 'node:process'

import type { BridgeSource } from '@parley/gateway'
import { afterAll, expect, test, vi } from 'vitest'

import type { MatrixClient, Target } from '../../../test-support/peers/client.ts'
import { features, findLack, patience } from '../../../test-support/peers/features.ts'
import { openOfficialV1Client } from '../../../test-support/peers/official-v1-client.ts'
import { openOfficialV2Client } from '../../../test-support/peers/official-v2-client.ts'
import { openOurClient } from '../../../test-support/peers/our-client.ts'
import { servers, startServer, type Channel } from '../../../test-support/peers/servers.ts'
import { choosePairs, isThorough } from '../../../test-support/thorough.ts'
import { writeSection } from './matrix-page.ts'
import { parley } from './programs.ts'
import { startTestBridge } from './running.ts'

const clients: Readonly<Record<string, (target: Target) => Promise<MatrixClient>>> = {
  ours: openOurClient,
  'official, generation 1': openOfficialV1Client,
  'official, generation 2, legacy': openOfficialV2Client('legacy'),
  'official, generation 2, auto': openOfficialV2Client('auto'),
}
const channels: readonly Channel[] = ['stdio', 'HTTP']

/** A bridge between two transports of the same kind is tried when the page is written. */
const isWhole = process.env['UPDATE_DOCS'] !== undefined

interface Cell {
  readonly server: string
  readonly from: Channel
  readonly to: Channel
  readonly client: string
}

/** Ours with ours is in the other table. */
const all = servers
  .filter(({ name }) => name !== 'official everything')
  .flatMap(({ name: server }) =>
    channels.flatMap((from) =>
      channels.flatMap((to) =>
        Object.keys(clients)
          .filter((client) => client !== 'ours' || server !== 'ours')
          .filter(() => isWhole || from !== to)
          .map((client) => [server, from, to, client] as const),
      ),
    ),
  )
const wanted = choosePairs(all, isWhole || isThorough).map(([server, from, to, client]): Cell => {
  return { server, from, to, client }
})
const cells = new Map<string, string>()

function nameOf({ server, from, to, client }: Cell): string {
  return [server, from, to, client].join()
}

for (const cell of wanted) {
  const { server, from, to, client: name } = cell
  const title = `client (${name}) over ${to} and server (${server}) over ${from} do through a bridge what they do without`

  test.concurrent(title, async () => {
    const open = clients[name]
    const program = servers.find((each) => each.name === server)
    if (open === undefined || program === undefined) throw new Error('no such client or server')
    using started = await startServer(program, from)
    const usable = await usableWithout(await open(started.target))
    await using bridge = await bridgeTo(started.target, to)
    await using client = await open(bridge.target)
    await settledTools(client)

    const failed: string[] = []
    const expected = features.filter(
      ({ name: each, needs: { until = '9' } }) => usable.has(each) && client.revision <= until,
    )
    for (const { name: feature, check } of expected) {
      await check(client).catch((error: unknown) => failed.push(`${feature}: ${String(error)}`))
    }

    cells.set(nameOf(cell), `${expected.length - failed.length}/${expected.length}`)
    expect(failed).toEqual([])
  })
}

/** What the pair can do face to face. */
async function usableWithout(opened: MatrixClient): Promise<ReadonlySet<string>> {
  await using client = opened
  const tools = await settledTools(client)
  const usable = new Set<string>()
  for (const { name, needs } of features) {
    if ((await findLack(client, needs, tools)) === undefined) usable.add(name)
  }
  return usable
}

/** Servers may add tools when they know what the client can. */
function settledTools(client: MatrixClient): Promise<readonly string[]> {
  return vi.waitFor(async () => {
    const tools = await client.listTools()
    expect(tools).toContain('trigger-sampling-request')
    return tools
  }, patience)
}

/** The bridge as a client reaches it: at an address, or as a command to start. */
async function bridgeTo(
  target: Target,
  to: Channel,
): Promise<{ readonly target: Target } & AsyncDisposable> {
  if (to === 'HTTP') {
    const from: BridgeSource = 'url' in target ? { url: target.url.href } : target
    const bridge = await startTestBridge({ from })
    if (bridge.url === undefined) throw new Error('a bridge to HTTP has an address')
    return {
      target: { url: bridge.url },
      [Symbol.asyncDispose]: () => bridge.close({ deadlineMs: 0 }),
    }
  }
  const behind =
    'url' in target ? ['--http', target.url.href] : ['--', target.command, ...target.args]
  const args = [parley, 'bridge', '--to', 'stdio', ...behind]
  return { target: { command: execPath, args }, [Symbol.asyncDispose]: async () => undefined }
}

/** Only a whole run says anything about the whole. */
afterAll(() => {
  if (!isWhole || wanted.some((cell) => !cells.has(nameOf(cell)))) return
  const names = Object.keys(clients)
  const head = `| server → client | ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`
  const sources = [...new Set(wanted.map(({ server }) => server))]
  const rows = sources.flatMap((server) =>
    channels.flatMap((from) =>
      channels.map((to) => {
        const found = names.map((client) => cells.get(nameOf({ server, from, to, client })) ?? '–')
        return `| ${server}: ${from} → ${to} | ${found.join(' | ')} |`
      }),
    ),
  )
  writeSection('peers', [head, ...rows].join('\n'))
})

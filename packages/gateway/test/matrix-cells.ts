import { execPath } from 'node:process'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'

import type { BridgeSource, BridgeTarget } from '@parley/gateway'
import { revisions, type Revision } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createStdioTransport } from '@parley/mcp/stdio'
import { afterAll, expect, test } from 'vitest'

import { choosePairs, isThorough } from '../../../test-support/thorough.ts'
import { createCuttableLink } from './cuttable-link.ts'
import { createMatrixServer } from './fixtures/matrix-server.mjs'
import { asked, features, type Feature } from './matrix-features.ts'
import { writeSection } from './matrix-page.ts'

const transports = ['stdio', 'http', 'sse', 'ws'] as const
const program = fileURLToPath(new URL('./fixtures/matrix-server.mjs', import.meta.url))

/** How client and server find each other: in the same era, or across. */
const pairs = ['same era', 'across eras'] as const
type Pair = (typeof pairs)[number]

/** What stands between a client and a server. */
export interface Standing {
  readonly url: URL | undefined
  close(options: { readonly deadlineMs: number }): Promise<void>
}

/** How it is started. */
export interface StandingOptions {
  readonly from: BridgeSource
  readonly to: BridgeTarget
  readonly protocolVersion: 'legacy' | 'modern'
  readonly stdio: { readonly input: PassThrough; readonly output: PassThrough }
}

function nameOf(pair: Pair, from: BridgeTarget, to: BridgeTarget, revision: Revision): string {
  return [pair, from, to, revision].join()
}

const modern = '2026-07-28'

/** HTTP+SSE is older than requests that stand alone. */
function exists(pair: Pair, from: BridgeTarget, to: BridgeTarget, revision: Revision): boolean {
  const isModern = revision === modern
  if (to === 'sse' && isModern) return false
  const isServerModern = (pair === 'same era') === isModern
  return from !== 'sse' || !isServerModern
}

/** Streams of Streamable HTTP can be taken up again in the revisions with sessions that came with it. */
function isResumable(transport: BridgeTarget, isModern: boolean): boolean {
  return transport === 'http' && !isModern
}

/** On which sides of it a connection may be cut. */
function cuttable([pair, from, to, revision]: Cell): {
  readonly client: boolean
  readonly server: boolean
} {
  const isModern = revision === modern
  const isServerModern = (pair === 'same era') === isModern
  if (revision === '2024-11-05') return { client: false, server: false }
  return { client: isResumable(to, isModern), server: isResumable(from, isServerModern) }
}

/** What must pass. */
function expectedIn(cell: Cell): readonly Feature[] {
  const { client, server } = cuttable(cell)
  return features.filter(
    ({ since = '', needsCut = false }) => since <= cell[3] && (!needsCut || client || server),
  )
}

type Cell = readonly [Pair, BridgeTarget, BridgeTarget, Revision]

async function serve(from: BridgeTarget): Promise<{
  readonly source: BridgeSource
  readonly service?: HttpService
}> {
  if (from === 'stdio') return { source: { command: execPath, args: [program] } }
  const service = await serveHttp(createMatrixServer(), {
    port: 0,
    host: '127.0.0.1',
    ownsProcess: false,
    legacySse: from === 'sse',
    websocket: from === 'ws',
  })
  const { href } = service.url
  if (from === 'http') return { service, source: { url: href } }
  const url = from === 'sse' ? `${href}/sse` : href.replace('http:', 'ws:')
  return { service, source: { url, type: from } }
}

async function passing(
  cell: Cell,
  start: (options: StandingOptions) => Promise<Standing>,
): Promise<readonly string[]> {
  const [pair, from, to, revision] = cell
  const { source, service } = await serve(from)
  const may = cuttable(cell)
  using behind = may.server && service ? await createCuttableLink(service.url) : undefined
  const [input, output] = [new PassThrough(), new PassThrough()]
  const isModern = revision === modern
  const between = await start({
    from: behind ? { url: behind.url.href } : source,
    to,
    protocolVersion: (pair === 'same era') === isModern ? 'modern' : 'legacy',
    stdio: { input, output },
  })
  using before = may.client && between.url ? await createCuttableLink(between.url) : undefined
  const client = await open(before?.url ?? between.url)
  const cut = (): void => {
    behind?.cut()
    before?.cut()
  }
  try {
    const passed: string[] = []
    for (const feature of expectedIn(cell)) {
      const isPassed = await feature.try(client, { cut }).catch(() => false)
      if (isPassed) passed.push(feature.name)
    }
    return passed
  } finally {
    await client.close()
    await between.close({ deadlineMs: 0 })
    await service?.drain({ deadlineMs: 0 })
  }

  function open(url: URL | undefined): Promise<Client> {
    const options = { ...asked, protocolVersion: revision }
    if (url === undefined) {
      return connect(createStdioTransport({ input: output, output: input }), options)
    }
    return connect(to === 'sse' ? { url: url.href, type: 'sse' } : url, options)
  }
}

/** The page is written by a run of all of them. */
const isWhole = process.env['UPDATE_DOCS'] !== undefined

const all: readonly Cell[] = pairs.flatMap((pair) =>
  transports.flatMap((from) =>
    transports.flatMap((to) =>
      revisions
        .filter((revision) => exists(pair, from, to, revision))
        .map((revision) => [pair, from, to, revision] as const),
    ),
  ),
)
const wanted = choosePairs(all, isWhole || isThorough)

/** Tries cells, and writes what passes in all of them into a part of docs/internals/gateway-matrix.md. */
export function testMatrix(
  name: 'bridge' | 'gateway',
  section: 'transports' | 'gateway-transports',
  start: (options: StandingOptions) => Promise<Standing>,
): void {
  const cells = new Map<string, string>()

  test.each(wanted)(
    `%s: a server over %s behind a ${name} to %s passes everything that %s has`,
    async (...cell) => {
      const expected = expectedIn(cell)

      const passed = await passing(cell, start)

      cells.set(nameOf(...cell), `${passed.length}/${expected.length}`)
      expect(passed).toEqual(expected.map((feature) => feature.name))
    },
    120_000,
  )

  /** Only a whole run says anything about the whole. */
  afterAll(() => {
    if (all.some((cell) => !cells.has(nameOf(...cell)))) return
    writeSection(section, render(cells))
  })
}

function render(cells: ReadonlyMap<string, string>): string {
  const tables = pairs.map((pair) => {
    const rows = transports.flatMap((from) =>
      transports.map((to) => {
        const values = revisions.map((each) => cells.get(nameOf(pair, from, to, each)) ?? '–')
        return `| ${from} → ${to} | ${values.join(' | ')} |`
      }),
    )
    const title = pair === 'same era' ? 'Client and server of one era' : 'Across eras'
    const head = `| server → client | ${revisions.join(' | ')} |\n|---|${'---|'.repeat(revisions.length)}`
    return `### ${title}\n\n${head}\n${rows.join('\n')}`
  })
  return tables.join('\n\n')
}

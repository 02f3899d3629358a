import { readFileSync, writeFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'

import type { BridgeSource, BridgeTarget } from '@parley/gateway'
import { startBridge } from '@parley/gateway'
import { revisions, type Revision } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createStdioTransport } from '@parley/mcp/stdio'
import { afterAll, expect, test } from 'vitest'

import { createMatrixServer } from './fixtures/matrix-server.mjs'
import { asked, features } from './matrix-features.ts'

const transports = ['stdio', 'http', 'sse', 'ws'] as const
const page = fileURLToPath(new URL('../../../docs/gateway-matrix.md', import.meta.url))
const program = fileURLToPath(new URL('./fixtures/matrix-server.mjs', import.meta.url))

/** How client and server find each other: in the same era, or across. */
const pairs = ['same era', 'across eras'] as const
type Pair = (typeof pairs)[number]

const cells = new Map<string, string>()

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

async function serve(from: BridgeTarget): Promise<{
  readonly source: BridgeSource
  readonly service?: HttpService
}> {
  if (from === 'stdio') return { source: { command: execPath, args: [program] } }
  const service = await serveHttp(createMatrixServer(), {
    port: 0,
    host: '127.0.0.1',
    ownProcess: false,
    legacySse: from === 'sse',
    websocket: from === 'ws',
  })
  const { href } = service.url
  if (from === 'http') return { service, source: { url: href } }
  const url = from === 'sse' ? `${href}/sse` : href.replace('http:', 'ws:')
  return { service, source: { url, type: from } }
}

async function passing(
  pair: Pair,
  from: BridgeTarget,
  to: BridgeTarget,
  revision: Revision,
): Promise<readonly string[]> {
  const { source, service } = await serve(from)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const isModern = revision === modern
  const bridge = await startBridge({
    from: source,
    to,
    port: 0,
    host: '127.0.0.1',
    era: (pair === 'same era') === isModern ? 'modern' : 'legacy',
    stdio: { input, output },
    onError: () => undefined,
  })
  const client = await open()
  try {
    const passed: string[] = []
    for (const feature of features.filter(({ since = '' }) => since <= revision)) {
      const isAcross = pair === 'across eras'
      const isPassed = await feature.try(client, { isAcross }).catch(() => false)
      if (isPassed) passed.push(feature.name)
    }
    return passed
  } finally {
    await client.close()
    await bridge.close({ deadlineMs: 0 })
    await service?.drain({ deadlineMs: 0 })
  }

  function open(): Promise<Client> {
    const options = { ...asked, era: revision }
    if (bridge.url === undefined) {
      return connect(createStdioTransport({ input: output, output: input }), options)
    }
    return connect(to === 'sse' ? { url: bridge.url.href, type: 'sse' } : bridge.url, options)
  }
}

const wanted = pairs.flatMap((pair) =>
  transports.flatMap((from) =>
    transports.flatMap((to) =>
      revisions
        .filter((revision) => exists(pair, from, to, revision))
        .map((revision) => [pair, from, to, revision] as const),
    ),
  ),
)

test.each(wanted)(
  '%s: a server over %s behind a bridge to %s passes everything that %s has',
  async (pair, from, to, revision) => {
    const expected = features.filter(({ since = '' }) => since <= revision)

    const passed = await passing(pair, from, to, revision)

    cells.set(nameOf(pair, from, to, revision), `${passed.length}/${expected.length}`)
    expect(passed).toEqual(expected.map(({ name }) => name))
  },
  120_000,
)

/** Only a whole run says anything about the whole. */
afterAll(() => {
  if (wanted.some((cell) => !cells.has(nameOf(...cell)))) return
  const text = render()
  if (readFileSync(page, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(page, text)
})

function render(): string {
  const names = features.map(({ name }) => name).join(', ')
  const tables = pairs.map((pair) => {
    const rows = transports.flatMap((from) =>
      transports.map((to) => {
        const values = revisions.map((each) => cells.get(nameOf(pair, from, to, each)) ?? '–')
        return `| ${from} → ${to} | ${values.join(' | ')} |`
      }),
    )
    const title = pair === 'same era' ? 'Client and server of one era' : 'Across eras'
    const head = `| server → client | ${revisions.join(' | ')} |\n|---|${'---|'.repeat(revisions.length)}`
    return `## ${title}\n\n${head}\n${rows.join('\n')}`
  })
  return `# What passes a bridge

Written by \`packages/gateway/test/matrix.slow.test.ts\`. Each cell is a [bridge](bridge.md) between the transport of a server and that of a client, for a client of that
revision. It says how many of these passed: ${names}. Older revisions have neither elicitation nor tasks. HTTP+SSE has no 2026-07-28. Across
eras, the server behind the bridge is of the other era than the client, and what may be a task is done inline.

${tables.join('\n\n')}
`
}

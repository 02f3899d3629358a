import { type Client, connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test, vi } from 'vitest'

import { isThorough } from '../../../../../test-support/thorough.ts'
import { openRelay, type Connection } from './relay.ts'

/** A tool that may not be repeated, and tells three steps before its result. */
function createSteps() {
  const server = createServer({ name: 'steps', version: '1.0.0' })
  const runs = { count: 0 }
  server.tool('work', {}, async (_, context) => {
    runs.count += 1
    for (const progress of [1, 2, 3]) await context.progress({ progress })
    return 'done'
  })
  return { server, runs }
}

/** How many bytes later than the one before it each call is cut. */
const step = isThorough ? 1 : 3

interface Outcome {
  readonly code: string
  readonly received: readonly number[]
  readonly runs: number
}

const addresses = {
  http: (url: string) => ({ url }),
  sse: (url: string) => ({ type: 'sse', url: `${url}/sse` }) as const,
  websocket: (url: string) => ({ url: url.replace('http:', 'ws:') }),
}

/** One call after the other, each with its connection cut a little later, until one is not cut any more. */
async function cutEverywhere(
  transport: keyof typeof addresses,
  protocolVersion: 'legacy' | 'modern',
  cut: (connection: Connection, at: number) => void,
): Promise<readonly Outcome[]> {
  const { server, runs } = createSteps()
  await using service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    legacySse: true,
    websocket: true,
  })
  await using relay = await openRelay(service.url)
  const open = (): Promise<Client> =>
    connect(addresses[transport](relay.through(service.url)), {
      protocolVersion,
      reconnect: { minDelayMs: 1, maxDelayMs: 2 },
    })
  await using other = await connect(service.url, { protocolVersion })
  const outcomes: Outcome[] = []
  let client = await open()

  for (
    let at = 0, isCut = true;
    isCut && at < 5_000;
    at += transport === 'http' ? step : 3 * step
  ) {
    await client.ping() // so that there is a connection
    const [connection] = relay.connections
    if (!connection) throw new Error('no connection')
    cut(connection, at)
    const received: number[] = []
    const before = runs.count
    const code = await client
      .callTool('work', {}, { onProgress: ({ progress }) => received.push(progress) })
      .then(
        () => 'done',
        (error: { readonly code: string }) => error.code,
      )
    outcomes.push({ code, received, runs: runs.count - before })
    isCut = connection.isCut
    if (at % 90 === 0) await other.callTool('work')
    if (transport === 'http') continue
    await client.close() // it would not come back more than twenty times a minute
    client = await open()
  }
  for (const connection of relay.connections) cut(connection, Infinity)
  await client.close()
  const sessions = protocolVersion === 'legacy' ? 1 : 0
  await vi.waitFor(() => expect(service.health()).toMatchObject({ sessions, inFlight: 0 }))
  return outcomes
}

test('an answer cut anywhere is resumed from the first event on: nothing is lost, nothing doubled [HRES-03] [HRES-04]', async () => {
  const outcomes = await cutEverywhere('http', 'legacy', (connection, at) =>
    connection.cutAfterReceived(at),
  )

  const isResumable = outcomes.findIndex(({ code }) => code === 'done')
  expect(outcomes.length - isResumable).toBeGreaterThan(300 / step)
  for (const outcome of outcomes.slice(0, isResumable)) {
    expect(outcome).toEqual({ code: 'connection_lost', received: [], runs: 1 })
  }
  for (const outcome of outcomes.slice(isResumable)) {
    expect(outcome).toEqual({ code: 'done', received: [1, 2, 3], runs: 1 })
  }
})

test('where nothing can be resumed, an answer cut anywhere is lost, and its call is not made twice [N07-CANC-07]', async () => {
  const outcomes = await cutEverywhere('http', 'modern', (connection, at) =>
    connection.cutAfterReceived(at),
  )

  expect(outcomes.length).toBeGreaterThan(300 / step)
  expectLostOrDone(outcomes)
  expect(outcomes.filter(({ code }) => code === 'done').length).toBeLessThan(20)
})

test.each(['legacy', 'modern'] as const)(
  'a %s request cut anywhere runs once if all of it arrived, and else not at all',
  async (era) => {
    const outcomes = await cutEverywhere('http', era, (connection, at) =>
      connection.cutAfterSent(at),
    )

    expect(outcomes.length).toBeGreaterThan(300 / step)
    expect(outcomes.at(-1)).toEqual({ code: 'done', received: [1, 2, 3], runs: 1 })
    for (const outcome of outcomes.slice(0, -2)) {
      expect(outcome).toEqual({ code: 'connection_lost', received: [], runs: 0 })
    }
  },
)

describe.each([
  ['sse', 'legacy'],
  ['websocket', 'legacy'],
  ['websocket', 'modern'],
] as const)('over %s, where the connection is the session, %s', (transport, era) => {
  test('one that is cut anywhere ends its call, which ran once, and harms no other', async () => {
    const outcomes = await cutEverywhere(transport, era, (connection, at) =>
      connection.cutAfterReceived(at),
    )

    expect(outcomes.length).toBeGreaterThan(100 / step)
    expectLostOrDone(outcomes)
    expect(outcomes.filter(({ code }) => code === 'done').length).toBeLessThan(20)
  })
})

/** Each call ran once and was answered, or was lost with what was heard until then; the last was not cut. */
function expectLostOrDone(outcomes: readonly Outcome[]): void {
  for (const { code, received, runs } of outcomes) {
    expect(received).toEqual([1, 2, 3].slice(0, code === 'done' ? 3 : received.length))
    expect([code, runs]).toEqual([code === 'done' ? 'done' : 'connection_lost', 1])
  }
  expect(outcomes.at(-1)?.code).toBe('done')
}

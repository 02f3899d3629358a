import { expect, test } from 'vitest'

import { createServer } from '../../../src/server/create-server.ts'
import { connect } from '../../../src/transport/connect.ts'
import { serveHttp } from '../../../src/transport/http/serve-http.ts'
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

interface Outcome {
  readonly code: string
  readonly heard: readonly number[]
  readonly runs: number
}

/** One call after the other, each with its connection cut a byte later, until one is not cut any more. */
async function cutEverywhere(
  cut: (connection: Connection, at: number) => void,
): Promise<readonly Outcome[]> {
  const { server, runs } = createSteps()
  await using service = await serveHttp(server, { port: 0, ownProcess: false })
  await using relay = await openRelay(service.url)
  await using client = await connect(relay.through(service.url), {
    reconnect: { minDelayMs: 1, maxDelayMs: 2 },
  })
  await using other = await connect(service.url)
  const outcomes: Outcome[] = []

  for (let at = 0, isCut = true; isCut && at < 5_000; at += 1) {
    await client.ping() // on a connection that the call will use
    const [connection] = relay.connections
    if (relay.connections.size !== 1 || !connection) throw new Error('not one connection')
    cut(connection, at)
    const heard: number[] = []
    const before = runs.count
    const code = await client
      .callTool('work', {}, { onProgress: ({ progress }) => heard.push(progress) })
      .then(
        () => 'done',
        (error: { readonly code: string }) => error.code,
      )
    outcomes.push({ code, heard, runs: runs.count - before })
    isCut = connection.isCut
    if (at % 100 === 0) await other.callTool('work')
  }
  expect(service.health()).toMatchObject({ sessions: 2, inFlight: 0 })
  return outcomes
}

test('an answer cut at every byte is resumed from the first event on: nothing is lost, nothing doubled [HRES-03] [HRES-04]', async () => {
  const outcomes = await cutEverywhere((connection, at) => connection.cutAfterReceived(at))

  const isResumable = outcomes.findIndex(({ code }) => code === 'done')
  expect(outcomes.length - isResumable).toBeGreaterThan(300)
  for (const outcome of outcomes.slice(0, isResumable)) {
    expect(outcome).toEqual({ code: 'connection_lost', heard: [], runs: 1 })
  }
  for (const outcome of outcomes.slice(isResumable)) {
    expect(outcome).toEqual({ code: 'done', heard: [1, 2, 3], runs: 1 })
  }
})

test('a request cut at every byte runs once if all of it arrived, and else not at all', async () => {
  const outcomes = await cutEverywhere((connection, at) => connection.cutAfterSent(at))

  expect(outcomes.length).toBeGreaterThan(300)
  expect(outcomes.at(-1)).toEqual({ code: 'done', heard: [1, 2, 3], runs: 1 })
  for (const outcome of outcomes.slice(0, -2)) {
    expect(outcome).toEqual({ code: 'connection_lost', heard: [], runs: 0 })
  }
})

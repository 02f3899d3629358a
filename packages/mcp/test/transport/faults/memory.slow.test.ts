import { gzipSync } from 'node:zlib'

import { connect } from '@parley/mcp/client'
import { type HttpService, serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { head, openSocket } from '../../support/raw-socket.ts'
import { usedBytes } from './memory-use.ts'
import { openRelay, type Relay } from './relay.ts'

const mebibyte = 1024 * 1024
const bomb = gzipSync(Buffer.alloc(50 * mebibyte, '['))

function createWorker() {
  const server = createServer({ name: 'worker', version: '1.0.0', onError: () => undefined })
  server.tool('work', {}, async (_, context) => {
    for (const progress of [1, 2, 3])
      await context.progress({ progress, message: 'x'.repeat(1_000) })
    return 'x'.repeat(10_000)
  })
  return server
}

/** Everything that goes wrong on a network, once. */
async function sufferOnce(service: HttpService, relay: Relay): Promise<void> {
  const client = await connect(relay.through(service.url), {
    reconnect: { minDelayMs: 1, maxDelayMs: 2 },
  })
  const port = Number(service.url.port)
  for (let at = 50; at < 4_000; at += 300) {
    for (const connection of relay.connections) connection.cutAfterReceived(at)
    await client.callTool('work').catch(() => undefined) // the cut may come before anything to resume from
  }
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      using socket = await openSocket(port)
      socket.write(head({ 'content-length': 1_000_000, 'mcp-session-id': `unknown-${index}` }))
      socket.write('{"jsonrpc":')
    }),
  )
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      using socket = await openSocket(port)
      socket.write(head({ 'content-length': bomb.length, 'content-encoding': 'gzip' }))
      socket.write(bomb)
      await socket.until('415')
    }),
  )
  await client.close()
}

test('rounds of cuts, half requests and bombs leave nothing behind', async () => {
  await using service = await serveHttp(createWorker(), {
    port: 0,
    ownsProcess: false,
    replay: { events: 1_000, bytes: mebibyte, keepMs: 0 },
  })
  await using relay = await openRelay(service.url)
  const used: number[] = []

  for (let round = 0; round < 40; round += 1) {
    await sufferOnce(service, relay)
    await vi.waitFor(() =>
      expect(service.health()).toMatchObject({ sessions: 0, streams: 0, inFlight: 0 }),
    )
    used.push(usedBytes())
  }

  // After the first rounds have compiled what they use, and filled what is filled once.
  const [early, late] = [Math.min(...used.slice(15, 20)), Math.min(...used.slice(-5))]
  expect(late - early).toBeLessThan(mebibyte / 2)
})

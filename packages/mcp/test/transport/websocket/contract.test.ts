import type { Transport } from '@parley/mcp'
import { transportContract } from '@parley/mcp/testing'
import { createWebSocketTransport } from '@parley/mcp/websocket'
import { describe, test } from 'vitest'

import { openSockets } from './sockets.ts'

async function overSockets(): Promise<readonly [Transport, Transport]> {
  const { near, far } = await openSockets()
  return [createWebSocketTransport(near), createWebSocketTransport(far)]
}

/** The server's end as the near one: it does not mask, and closes the connection itself. */
async function fromServer(): Promise<readonly [Transport, Transport]> {
  const [left, right] = await overSockets()
  return [right, left]
}

describe.each([
  ['a client', overSockets],
  ['a server', fromServer],
] as const)(
  'a WebSocket seen from %s keeps the contract of a transport [WS-01] [WS-02]',
  (_, openPair) => {
    for (const { name, run } of transportContract(openPair)) test(name, run)
  },
)

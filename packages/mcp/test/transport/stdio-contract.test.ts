import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'

import type { Transport } from '@parley/mcp'
import { createStdioTransport } from '@parley/mcp/stdio'
import { transportContract } from '@parley/mcp/testing'
import { describe, test } from 'vitest'

type Pair = readonly [Transport, Transport]

function overPipes(): Promise<Pair> {
  const there = new PassThrough()
  const back = new PassThrough()
  return Promise.resolve([
    createStdioTransport({ input: back, output: there }),
    createStdioTransport({ input: there, output: back }),
  ])
}

async function overSocket(): Promise<Pair> {
  const server = createServer({ allowHalfOpen: false }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [far] = (await once(server, 'connection')) as [Socket]
  server.close()
  return [
    createStdioTransport({ input: near, output: near }),
    createStdioTransport({ input: far, output: far }),
  ]
}

describe.each([
  ['pipes', overPipes],
  ['a socket', overSocket],
] as const)(
  'line framing over %s keeps the contract of a transport [N07-STDIO-06]',
  (_, openPair) => {
    for (const { name, run } of transportContract(openPair)) test(name, run)
  },
)

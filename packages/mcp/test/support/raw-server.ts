import type { Transport } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'

import { openRawChannel, type Raw, type RawChannel } from './raw-channel.ts'

/** A server written by hand: says exactly what it is told. */
export interface RawServer extends RawChannel {
  /** The client under test; pending until the handshake is answered. */
  readonly client: Promise<Client>
  /** Answers the client's `initialize` and waits for the client. */
  accept(result?: object): Promise<Client>
  /** Waits for a request by its method. */
  expect(method: string): Promise<Raw>
  /** Waits for a request by its method and answers it. */
  answer(method: string, result: object): Promise<Raw>
  reject(method: string, error: object): Promise<Raw>
}

export function openRawServer(
  transport: Transport,
  revision: string,
  connect: () => Promise<Client>,
): RawServer {
  const channel = openRawChannel(transport)
  const client = connect()
  client.catch(() => undefined) // a test that expects a failure looks at it itself

  async function expectMethod(method: string): Promise<Raw> {
    return channel.next((message) => message.method === method)
  }
  async function answer(method: string, result: object): Promise<Raw> {
    const request = await expectMethod(method)
    channel.send({ jsonrpc: '2.0', id: request.id, result })
    return request
  }

  return {
    ...channel,
    received: channel.received,
    client,
    expect: expectMethod,
    answer,
    async reject(method, error) {
      const request = await expectMethod(method)
      channel.send({ jsonrpc: '2.0', id: request.id, error })
      return request
    },
    async accept(result = {}) {
      await answer('initialize', {
        protocolVersion: revision,
        capabilities: {
          tools: {},
          resources: { subscribe: true, listChanged: true },
          prompts: {},
          completions: {},
          logging: {},
        },
        serverInfo: { name: 'raw-server', version: '1.0.0' },
        ...result,
      })
      return client
    },
  }
}

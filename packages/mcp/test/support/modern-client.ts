import { type AuthInfo, revisions, type Transport } from '@parley/mcp'
import type { ServeOptions, Server, Service } from '@parley/mcp/server'
import { afterEach, describe } from 'vitest'

import { channels, httpChannels, openServed, type Channel } from './matrix.ts'
import { openRawChannel, type Raw, type RawChannel } from './raw-channel.ts'

/** `_meta` of a request that stands for itself. */
export function envelope(capabilities: object = {}, more: object = {}): object {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1.0.0' },
    ...more,
  }
}

/** A client without handshake, written by hand: says exactly what it is told, with an envelope unless told otherwise. */
export interface StandaloneClient extends RawChannel {
  request(method: string, params?: object, options?: StandaloneRequest): Promise<Raw>
  notify(method: string, params?: object): void
}

export interface StandaloneRequest {
  readonly id?: string | number
  readonly capabilities?: object
  /** Added to the envelope. */
  readonly meta?: object
  /** No envelope at all. */
  readonly bare?: boolean
}

export function openStandaloneClient(transport: Transport): StandaloneClient {
  const channel = openRawChannel(transport)
  let lastId = 0
  return {
    ...channel,
    received: channel.received,
    request(method, params = {}, options = {}) {
      const { id = `raw-${++lastId}`, capabilities, meta, bare = false } = options
      const own = bare ? params : { ...params, _meta: envelope(capabilities, meta) }
      channel.send({ jsonrpc: '2.0', id, method, params: own })
      return channel.next((message) => message.id === id && message.method === undefined)
    },
    notify(method, params) {
      channel.send({ jsonrpc: '2.0', method, ...(params && { params }) })
    },
  }
}

/** Such a client, and what serves it. */
export interface ServedClient extends StandaloneClient {
  readonly service: Service
}

export interface StandaloneCase {
  readonly channel: Channel
  /** A scripted client without handshake on our server, which speaks every revision unless told otherwise. */
  open(server: Server, options?: ServeOptions & { auth?: AuthInfo }): Promise<ServedClient>
}

/** Runs the same tests over every way to reach a server, with requests that stand for themselves. */
export function describeStandalone(
  name: string,
  body: (standalone: StandaloneCase) => void,
  over: readonly Channel[] = [...channels, ...httpChannels],
): void {
  describe.each(over)(`${name} over %s`, (channel) => {
    const opened: { near: Transport; service: Service }[] = []
    afterEach(async () => {
      for (const { near, service } of opened.splice(0)) {
        await near[Symbol.asyncDispose]()
        await service.drain({ deadlineMs: 0 })
      }
    })
    body({
      channel,
      async open(server, options = {}) {
        const served = await openServed(channel, server, { revisions, ...options })
        opened.push(served)
        return { ...openStandaloneClient(served.near), service: served.service }
      },
    })
  })
}

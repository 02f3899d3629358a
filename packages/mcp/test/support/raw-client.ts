import type { Transport } from '@parley/mcp'
import type { Service } from '@parley/mcp/server'

import { openRawChannel, type Raw, type RawChannel } from './raw-channel.ts'

/** A client written by hand: says exactly what it is told. */
export interface RawClient extends RawChannel {
  readonly service: Service
  /** The answer to `initialize`. */
  readonly serverInfo: Raw
  /** Sends a request with a fresh id, or the id given, and waits for its response. */
  request(method: string, params?: object, id?: string | number): Promise<Raw>
  notify(method: string, params?: object): void
}

export interface RawClientOptions {
  readonly capabilities?: object
  readonly revision?: string
  /** Only the channel; the test says everything itself. */
  readonly silent?: boolean
}

export async function openRawClient(
  transport: Transport,
  service: Service,
  { capabilities = {}, revision, silent = false }: RawClientOptions,
): Promise<RawClient> {
  const channel = openRawChannel(transport)
  let lastId = 0

  function request(
    method: string,
    params?: object,
    id: string | number = `raw-${++lastId}`,
  ): Promise<Raw> {
    channel.send({ jsonrpc: '2.0', id, method, ...(params && { params }) })
    return channel.next((message) => message.id === id && message.method === undefined)
  }
  function notify(method: string, params?: object): void {
    channel.send({ jsonrpc: '2.0', method, ...(params && { params }) })
  }

  let serverInfo: Raw = {}
  if (!silent) {
    const clientInfo = { name: 'raw-client', version: '1.0.0' }
    serverInfo = await request('initialize', {
      protocolVersion: revision,
      capabilities,
      clientInfo,
    })
    notify('notifications/initialized')
  }
  return { ...channel, received: channel.received, service, serverInfo, request, notify }
}

import type { Transport, TransportKind } from '@parley/mcp'
import type { Client, ConnectOptions } from '@parley/mcp/client'
import { createTransportPair } from '@parley/mcp/testing'

import { createClient, type ClientTarget } from '../../src/client/create-client.ts'
import { metaKeys } from '../../src/wire/request-meta.ts'
import type { Raw } from './raw-channel.ts'
import { openRawServer, type RawServer } from './raw-server.ts'

/** The revision whose requests stand for themselves. */
export const standalone = '2026-07-28'

/** Those a client may speak, newest first. */
export const bothEras = ['2026-07-28', '2025-11-25', '2025-06-18'] as const

/** A server of 2026-07-28 written by hand. */
export interface RawStandaloneServer extends RawServer {
  /** Answers the client's `server/discover` and waits for the client. */
  discovered(result?: object): Promise<Client>
  /** Sends a notification of the subscription that a listen opened. */
  notify(listen: Raw, method: string, params?: object): void
}

export interface RawStandaloneOptions extends ConnectOptions {
  /** What the transport says it is. @defaultValue memory */
  readonly kind?: TransportKind
  readonly target?: ClientTarget
  /** Each connection after the first gets a server of its own, handed out here. */
  readonly onReopened?: (server: RawStandaloneServer) => void
}

/** Our client on a scripted server; both eras are allowed unless `era` says otherwise. */
export function openStandalone(options: RawStandaloneOptions = {}): RawStandaloneServer {
  const { kind = 'memory', target, onReopened, ...rest } = options
  let isOpened = false
  let client: Promise<Client> | undefined
  const [near, far] = pair(kind)
  const openTransport = (): Transport => {
    if (!isOpened || onReopened === undefined) {
      isOpened = true
      return near
    }
    const [again, theirs] = pair(kind)
    onReopened(script(theirs, () => client as Promise<Client>)) // there is one: it opens this
    return again
  }
  const connect = (): Promise<Client> => {
    const settings = { onError: () => undefined, ...rest }
    client = createClient(openTransport, settings, { revisions: bothEras, ...target })
    return client
  }
  return script(far, connect)
}

function script(transport: Transport, connect: () => Promise<Client>): RawStandaloneServer {
  const server = openRawServer(transport, '2025-11-25', connect)
  return {
    ...server,
    async discovered(result = {}) {
      await server.answer('server/discover', serverInfo(result))
      return server.client
    },
    notify(listen, method, params = {}) {
      const _meta = { [metaKeys.subscription]: listen.id }
      server.send({ jsonrpc: '2.0', method, params: { ...params, _meta } })
    },
  }
}

/** A result of `server/discover`. */
export function serverInfo(result: object = {}): object {
  return {
    resultType: 'complete',
    supportedVersions: [standalone],
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [metaKeys.server]: { name: 'raw-server', version: '1.0.0' } },
    ...result,
  }
}

function pair(kind: TransportKind): readonly [Transport, Transport] {
  const [near, far] = createTransportPair({ text: true })
  return [{ ...near, kind }, far]
}

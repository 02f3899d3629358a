import { duplexPair } from 'node:stream'

import type { AuthInfo, Transport } from '@parley/mcp'
import type { Client, ConnectOptions } from '@parley/mcp/client'
import { type ServeOptions, type Server, serveTransport, type Service } from '@parley/mcp/server'
import { createStdioTransport } from '@parley/mcp/stdio'
import { createTransportPair } from '@parley/mcp/testing'

import { describeCells } from '../../../../test-support/cells.ts'
import { createClient } from '../../src/client/create-client.ts'
import { legacyRevisions } from '../../src/wire/revisions.ts'
import { openHttpChannel } from './http-channel.ts'
import { openPortPair } from './port-transport.ts'
import { openRawClient, type RawClient, type RawClientOptions } from './raw-client.ts'
import { openRawServer, type RawServer } from './raw-server.ts'

/** How messages travel in a case: as objects, as text in memory, or as lines through streams. */
export const channels = ['memory', 'text', 'stdio'] as const
/** And through a transport that is none of ours, for the requirements every transport keeps. */
export const everyChannel = [...channels, 'custom'] as const
/** Streamable HTTP on sockets, and on web-standard objects with every answer a stream; servers only. */
export const httpChannels = ['http', 'fetch'] as const
/** Every way to reach a server. */
export const serverChannels = [...everyChannel, ...httpChannels] as const
export type Channel = (typeof serverChannels)[number]

export function openPair(channel: Channel): readonly [Transport, Transport] {
  if (channel === 'custom') return openPortPair()
  if (isHttp(channel)) throw new TypeError(`${channel} has no pair: it belongs to a server`)
  if (channel !== 'stdio') return createTransportPair({ text: channel === 'text' })
  const [left, right] = duplexPair()
  return [
    createStdioTransport({ input: left, output: left }),
    createStdioTransport({ input: right, output: right }),
  ]
}

function isHttp(channel: Channel): channel is (typeof httpChannels)[number] {
  return channel === 'http' || channel === 'fetch'
}

/** A server on one end of a channel, and the other end. */
export async function openServed(
  channel: Channel,
  server: Server,
  options: ServeOptions & { auth?: AuthInfo | undefined },
): Promise<{ readonly near: Transport; readonly service: Service }> {
  const quiet = { onError: () => undefined, ...options }
  if (!isHttp(channel)) {
    const [near, far] = openPair(channel)
    return { near, service: serveTransport(server, far, quiet) }
  }
  const { auth, clock, limits, onError, onMessage, revisions, secret } = quiet
  const guard = auth && { authenticate: async () => ({ kind: 'allow', auth }) as const }
  const { transport, service } = await openHttpChannel(server, {
    entry: channel === 'http' ? 'node' : 'fetch',
    ...(channel === 'fetch' && { accept: 'text/event-stream' }),
    auth: guard,
    clock,
    limits,
    onError,
    onMessage,
    revisions,
    secret,
  })
  return { near: transport, service }
}

export interface MatrixCase {
  readonly channel: Channel
  readonly revision: string
  /** Our client on our server. */
  connect(
    server: Server,
    options?: Omit<ConnectOptions, 'auth'> & { auth?: AuthInfo },
  ): Promise<Client>
  /** A scripted client on our server; it has shaken hands unless told otherwise. */
  rawClient(server: Server, options?: RawClientOptions & ServeOptions): Promise<RawClient>
  /**
   * Our client on a scripted server. `connect` is pending until the script answers `initialize`. Over HTTP a scripted
   * server is another thing; there the messages travel as text.
   */
  rawServer(options?: ConnectOptions): RawServer
}

export interface MatrixOptions {
  readonly channels?: readonly Channel[]
  readonly revisions?: readonly string[]
  /** Channels of which each statement meets one by day, where it depends on how messages travel. */
  readonly always?: readonly Channel[]
}

/** Runs the same tests over every channel and every revision we speak, or those named: by day each in two cells. */
export function describeMatrix(
  name: string,
  body: (matrix: MatrixCase) => void,
  { channels: overChannels = channels, revisions = legacyRevisions, always }: MatrixOptions = {},
): void {
  const cells = overChannels.flatMap((channel) =>
    revisions.map((revision) => ({ channel, revision })),
  )
  describeCells(name, cells, (cell) => body(createCase(cell.channel, cell.revision)), {
    nameOf: ({ channel, revision }) => `over ${channel} in ${revision}`,
    // Most that differs between revisions came with 2025-06-18: one cell is before it, the other from there on.
    axesOf: ({ channel, revision }) => ({
      channel,
      revision,
      half: revision < '2025-06-18' ? 'older' : 'newer',
    }),
    always: ({ channel }) => always?.includes(channel) === true,
  })
}

function createCase(channel: Channel, revision: string): MatrixCase {
  return {
    channel,
    revision,
    async connect(server, { auth, ...options } = {}) {
      const { clock, limits } = options
      const { near } = await openServed(channel, server, { auth, clock, limits })
      return createClient(() => near, {
        onError: () => undefined,
        protocolVersion: revision as NonNullable<ConnectOptions['protocolVersion']>,
        ...options,
      })
    },
    async rawClient(server, options = {}) {
      const { near, service } = await openServed(channel, server, options)
      return openRawClient(near, service, { revision, ...options })
    },
    rawServer(options = {}) {
      const [near, far] = openPair(isHttp(channel) ? 'text' : channel)
      return openRawServer(far, revision, () =>
        createClient(() => near, {
          protocolVersion: 'legacy',
          onError: () => undefined,
          ...options,
        }),
      )
    },
  }
}

/** The same over every way to reach a server, HTTP included. */
export function describeServer(
  name: string,
  body: (matrix: MatrixCase) => void,
  only: Omit<MatrixOptions, 'channels'> = {},
): void {
  describeMatrix(name, body, { ...only, channels: [...channels, ...httpChannels] })
}

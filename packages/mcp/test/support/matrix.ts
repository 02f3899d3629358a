import { duplexPair } from 'node:stream'

import { describe } from 'vitest'

import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/create-client.ts'
import type { ConnectOptions } from '../../src/client/options.ts'
import type { AuthInfo } from '../../src/rpc/auth-info.ts'
import type { Transport } from '../../src/rpc/transport.ts'
import { serveTransport, type ServeOptions } from '../../src/server/serve.ts'
import type { Server } from '../../src/server/server.ts'
import { createTransportPair } from '../../src/transport/memory.ts'
import { createStdioTransport } from '../../src/transport/stdio.ts'
import { spokenRevisions } from '../../src/wire/revisions.ts'
import { openPortPair } from './port-transport.ts'
import { openRawClient, type RawClient, type RawClientOptions } from './raw-client.ts'
import { openRawServer, type RawServer } from './raw-server.ts'

/** How messages travel in a case: as objects, as text in memory, or as lines through streams. */
export const channels = ['memory', 'text', 'stdio'] as const
/** And through a transport that is none of ours, for the requirements every transport keeps. */
export const everyChannel = [...channels, 'custom'] as const
export type Channel = (typeof everyChannel)[number]

export function openPair(channel: Channel): readonly [Transport, Transport] {
  if (channel === 'custom') return openPortPair()
  if (channel !== 'stdio') return createTransportPair({ text: channel === 'text' })
  const [left, right] = duplexPair()
  return [
    createStdioTransport({ input: left, output: left }),
    createStdioTransport({ input: right, output: right }),
  ]
}

export interface MatrixCase {
  readonly channel: Channel
  readonly revision: string
  /** Our client on our server. */
  connect(server: Server, options?: ConnectOptions & { auth?: AuthInfo }): Promise<Client>
  /** A scripted client on our server; it has shaken hands unless told otherwise. */
  rawClient(server: Server, options?: RawClientOptions & ServeOptions): Promise<RawClient>
  /** Our client on a scripted server. `connect` is pending until the script answers `initialize`. */
  rawServer(options?: ConnectOptions): RawServer
}

/** Runs the same tests over every channel and every revision we speak, or those named. */
export function describeMatrix(
  name: string,
  body: (matrix: MatrixCase) => void,
  only: { readonly channels?: readonly Channel[]; readonly revisions?: readonly string[] } = {},
): void {
  const { channels: overChannels = channels, revisions = spokenRevisions } = only
  describe.each(overChannels)(`${name} over %s`, (channel) => {
    describe.each(revisions)('in %s', (revision) => {
      body({
        channel,
        revision,
        async connect(server, { auth, ...options } = {}) {
          const [near, far] = openPair(channel)
          serveTransport(server, far, { auth, clock: options.clock, limits: options.limits })
          return createClient(() => near, {
            onError: () => undefined,
            era: revision as NonNullable<ConnectOptions['era']>,
            ...options,
          })
        },
        async rawClient(server, options = {}) {
          const [near, far] = openPair(channel)
          const service = serveTransport(server, far, { onError: () => undefined, ...options })
          return openRawClient(near, service, { revision, ...options })
        },
        rawServer(options = {}) {
          const [near, far] = openPair(channel)
          return openRawServer(far, revision, () =>
            createClient(() => near, { onError: () => undefined, ...options }),
          )
        },
      })
    })
  })
}

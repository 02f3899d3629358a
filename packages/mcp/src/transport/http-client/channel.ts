import type { TransportLink } from '../../client/connection/transport-link.ts'
import type { ReconnectOptions } from '../../client/options.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import type { TransportKind } from '../../rpc/transport.ts'
import type { Endpoint } from './endpoint.ts'
import type { Outgoing } from './outgoing-request.ts'
import type { InboundQueue } from './streams/delivery.ts'

/** One of the two ways MCP is spoken over HTTP. */
export interface Channel {
  readonly kind: TransportKind
  /** A promise for `notifications/initialized`: the server has taken it, or never will. Never rejects. */
  send(outgoing: Outgoing): Promise<void> | void
  /** Ends the session and gives up what is under way. Never rejects. */
  close(): Promise<void>
}

/** The parts that both channels need. */
export interface ChannelContext {
  readonly url: URL
  readonly peer: string
  readonly endpoint: Endpoint
  readonly delivery: InboundQueue
  readonly clock: Clock
  readonly limits: ResolvedLimits
  /** Undefined: requests fail at once while the server cannot be reached. */
  readonly reconnect: ReconnectOptions | undefined
  readonly link: TransportLink | undefined
  readonly onError: OnError
}

/** The headers of every POST of a message. */
export const postHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
} as const

/** How long what is not bound to a call may take. */
export const timeLimits = {
  /** The head of an answer to a notification, a response or a GET. */
  headMs: 60_000,
  /** Silence in the middle of a JSON body. */
  stallMs: 60_000,
  /** Telling the server that a call is cancelled, before its connection is given up all the same. */
  cancelMs: 2_000,
  /** Ending the session. */
  closeMs: 2_000,
  /** A stream that stays open although everything has been answered. */
  lingerMs: 1_000,
  /** The `endpoint` event of an old server. */
  endpointMs: 10_000,
} as const

/**
 * A session with a server: how to talk to it, and what was agreed on. `openSession` opens one for whoever talks to a server:
 * a client made by `connect()`, and a proxy for each of its clients.
 *
 * It opens the transport, finds out which revision the server speaks (`negotiate.ts`), and tells the caller what the server
 * sends besides responses (`SessionReceiver`), and when the session ends. What happens then is the caller's business:
 * `reconnecting-session.ts` opens the next one. Requests go through `attempt.ts`.
 *
 * Guarantees: if it rejects, the transport is closed; `onDisconnected` is called once, and only for a session that was returned.
 */

import type { Clock } from '../../rpc/clock.ts'
import { openConnection, type Connection } from '../../rpc/connection.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { Frame } from '../../rpc/frame.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import type { Notification, Request } from '../../rpc/message.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import { createReceiver } from '../../rpc/receiver.ts'
import type { Transport } from '../../rpc/transport.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import type { Implementation } from '../../schema/metadata.ts'
import { decodeWireError, encodeWireError } from '../../wire/error-codes.ts'
import { newestLegacyCodec, type RequestCodec } from '../../wire/request-codec.ts'
import type { ServerRequests } from '../input/server-requests.ts'
import type { SessionIdentity } from './identity.ts'
import { negotiate } from './negotiate.ts'
import type { TransportLink } from './transport-link.ts'

/** A server that has been reached: how to talk to it and what it can do. */
export type ClientSession = LegacySession | ModernSession

interface SessionBase {
  readonly connection: Connection
  readonly codec: RequestCodec
  readonly transport: Transport
  readonly server: ServerDescription
  readonly isMistaken: boolean | undefined
}

/** Began with `initialize`; both sides remember what was said. */
export interface LegacySession extends SessionBase {
  readonly kind: 'legacy'
}

/** The server remembers nothing: every request describes the client, and input is requested in results. */
export interface ModernSession extends SessionBase {
  readonly kind: 'modern'
  /** Answers an input request from a result. */
  readonly ask: ServerRequests['answer']
}

/** The server's description of itself. */
export interface ServerDescription {
  /** Servers from 2026-07-28 on need not say who they are. */
  readonly info?: Implementation
  /** The server's capabilities. The client does not send requests that need others. */
  readonly capabilities: ServerCapabilities
  /** How to use the server, written for a model; absent if the server gave none. */
  readonly instructions?: string
}

/** Options that all sessions of one client share. */
export interface SessionOptions {
  readonly identity: SessionIdentity
  readonly openTransport: (link: TransportLink) => MaybePromise<Transport>
  /** How long a transport may take until the session on it is agreed on. */
  readonly connectMs: number
  /** How long a server may take to answer a probe before it counts as an old one. */
  readonly probeMs: number
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly onError: OnError
  readonly onMessage?: ((frame: Frame) => void) | undefined
}

/** One attempt to open a session. */
export interface SessionAttempt {
  /** The revisions to try, newest first. */
  readonly revisions: readonly string[]
  /** The revision that the server spoke last, as far as that is known. */
  readonly prior: string | undefined
  readonly signal: AbortSignal
  /** Makes what receives the messages of one transport. `codec` returns what was agreed on, as soon as that is known. */
  readonly receive: (codec: () => RequestCodec | undefined) => SessionReceiver
  /** Called at most once: the session was open, and has ended. */
  readonly onDisconnected: (error: unknown) => void
}

/** Receives what the server sends besides responses. */
export interface SessionReceiver {
  /** The link between the client and the transport. */
  readonly link: TransportLink
  /** The connection is there from the first message on. */
  onRequest(request: Request, connection: Connection): void
  onNotification(notification: Notification, connection: Connection): void
  /** Answers an input request from a result. */
  readonly ask: ServerRequests['answer']
  /** The transport has ended, also when nothing was agreed on. */
  onEnd?(error: unknown): void
}

/** Opens a session. A server that closes the connection when it is probed is opened again, with `initialize`. */
export async function openSession(
  options: SessionOptions,
  attempt: SessionAttempt,
): Promise<ClientSession> {
  const { revisions, signal } = attempt
  let hasProbeFailed = false
  try {
    return await openOnce(options, attempt, revisions, () => (hasProbeFailed = true))
  } catch (error) {
    if (!hasProbeFailed || signal.aborted) throw error
    const older = revisions.filter((revision) => newestLegacyCodec([revision]) !== undefined)
    return openOnce(options, attempt, older, () => undefined).catch((second: unknown) => {
      const wasOpened = isRpcError(second) || (isMcpError(second) && second.code !== 'closed')
      throw wasOpened ? second : error // a transport that cannot be opened twice says nothing new
    })
  }
}

/** Agrees with a server on a fresh transport. On any failure the transport is closed and the reason thrown. */
async function openOnce(
  options: SessionOptions,
  { prior, signal, receive, onDisconnected }: SessionAttempt,
  revisions: readonly string[],
  onProbeFailed: () => void,
): Promise<ClientSession> {
  const { identity, clock, limits, onError, connectMs, probeMs } = options
  let codec: RequestCodec | undefined
  let session: ClientSession | undefined
  const ends: unknown[] = []
  signal.throwIfAborted()
  const receiver = receive(() => codec)
  const transport = await options.openTransport(receiver.link)
  const connection = openConnection({
    transport,
    clock,
    limits,
    maxPendingResponses: limits.inFlight, // a server may stop reading while it writes; a client that did so too would never see it end
    onError,
    onMessage: options.onMessage,
    receiver: (own) =>
      createReceiver(own, {
        onRequest: (request) => onRequest(request, own),
        onNotification: (notification) => receiver.onNotification(notification, own),
        hasBatches: () => codec?.has.batches ?? false,
        encodeError: encodeWireError,
      }),
    onEnd(error) {
      receiver.onEnd?.(error)
      if (session !== undefined) onDisconnected(error)
      else ends.push(error) // the session fails to open, and is not lost
    },
    mayRespond: () => codec?.has.initialize ?? true,
    decodeError: decodeWireError,
  })

  function onRequest(request: Request, own: Connection): void {
    const { id, method } = request
    if (codec?.has.initialize === false) return onError(unasked(method, transport.peer), warning)
    if (method === 'ping') return void own.reply(id, { jsonrpc: '2.0', id, result: {} })
    receiver.onRequest(request, own)
  }

  try {
    const agreement = await negotiate(connection, transport, {
      identity,
      revisions,
      prior,
      connectMs,
      probeMs,
      signal,
      clock,
      onCodec: (agreed) => (codec = agreed),
      onProbeFailed,
    })
    const { codec: agreed, server, isMistaken } = agreement
    const base = { connection, transport, codec: agreed, server, isMistaken }
    const { ask } = receiver
    session = agreed.has.initialize ? { kind: 'legacy', ...base } : { kind: 'modern', ...base, ask }
  } catch (error) {
    const isLate = isMcpError(error, 'timeout')
    const isGivenUp = isLate || (signal.aborted && !isMcpError(error, 'closed'))
    const closing = connection.close(error)
    if (!isGivenUp) await closing // a server that was given up is not waited for
    throw isLate ? notReady(transport.peer, connectMs) : error
  }
  if (ends.length > 0) onDisconnected(ends[0])
  return session
}

/** Reports the limit that was configured, not the time that was left for the last request. */
function notReady(peer: string | undefined, ms: number): McpError {
  return new McpError('timeout', `${peer ?? 'the server'} was not ready within ${ms} ms`, {
    details: { limit: 'connect', ms },
    peer,
    hint: 'Raise timeouts.connectMs if it starts slowly.',
  })
}

const warning = { severity: 'warning' } as const

/** In the modern era servers send no requests, and clients may not answer any. */
function unasked(method: string, peer: string | undefined): McpError {
  const why = `${peer ?? 'the server'} sent a request, ${method}, which its revision does not have`
  return new McpError('invalid_message', why, { details: { excerpt: method }, peer })
}

import type { Clock } from '../../rpc/clock.ts'
import { openConnection, type Connection } from '../../rpc/connection.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { Frame } from '../../rpc/frame.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import type { Notification, Request } from '../../rpc/message.ts'
import { createReceiver } from '../../rpc/receiver.ts'
import type { Transport } from '../../rpc/transport.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import type { Implementation } from '../../schema/metadata.ts'
import { decodeWireError, encodeWireError } from '../../wire/error-codes.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { ServerRequests } from '../input/server-requests.ts'
import type { Identity } from './identity.ts'
import { negotiate, type Agreement } from './negotiate.ts'

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

/** As the server describes itself. */
export interface ServerDescription {
  /** Servers from 2026-07-28 on need not say who they are. */
  readonly info?: Implementation
  /** What the server offers; the client refuses to send what is not declared here. */
  readonly capabilities: ServerCapabilities
  /** How to use the server, written for a model; absent if the server gave none. */
  readonly instructions?: string
}

export interface SessionOptions {
  readonly identity: Identity
  /** Newest first. */
  readonly revisions: readonly string[]
  /** What the server spoke last time. */
  readonly prior: string | undefined
  readonly connectMs: number
  /** How long a server may take to answer a probe before it counts as an old one. */
  readonly probeMs: number
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly onError: OnError
  readonly onMessage: ((frame: Frame) => void) | undefined
  /** What the server sends; the connection is there from the first message on. */
  readonly onRequest: (request: Request, connection: Connection) => void
  readonly onNotification: (notification: Notification, connection: Connection) => void
  readonly ask: ServerRequests['answer']
  /** Once, also when nothing was agreed. */
  readonly onEnd: (error: unknown) => void
  /** Known as soon as it is agreed. */
  readonly onCodec: (codec: RequestCodec) => void
  /** The channel ended while the server was being probed: it may be one that does not bear the question. */
  readonly onProbeLost: () => void
}

/**
 * Agrees with a server on a fresh transport; on any failure the transport is closed and the reason thrown. Who gave up
 * waiting for the server does not wait for it to end.
 */
export async function openSession(
  transport: Transport,
  options: SessionOptions,
): Promise<ClientSession> {
  const { clock, limits, onError, ask } = options
  let codec: RequestCodec | undefined
  const connection = openConnection({
    transport,
    clock,
    limits,
    answersAhead: limits.inFlight, // a server may stop reading while it writes; a client that did so too would never see it end
    onError,
    onMessage: options.onMessage,
    receiver: (own) =>
      createReceiver(own, {
        onRequest: (request) => onRequest(request, own),
        onNotification: (notification) => options.onNotification(notification, own),
        hasBatches: () => codec?.has.batches ?? false,
        encodeError: encodeWireError,
      }),
    onEnd: options.onEnd,
    mayAnswer: () => codec?.has.initialize ?? true,
    decodeError: decodeWireError,
  })

  function onRequest(request: Request, own: Connection): void {
    const { id, method } = request
    if (codec?.has.initialize === false) return onError(unasked(method, transport.peer), warning)
    if (method === 'ping') return void own.reply(id, { jsonrpc: '2.0', id, result: {} })
    options.onRequest(request, own)
  }

  try {
    const agreement: Agreement = await negotiate(connection, transport, {
      ...options,
      onCodec(agreed) {
        codec = agreed
        options.onCodec(agreed)
      },
    })
    const { codec: agreed, server, isMistaken } = agreement
    const base = { connection, transport, codec: agreed, server, isMistaken }
    return agreed.has.initialize ? { kind: 'legacy', ...base } : { kind: 'modern', ...base, ask }
  } catch (error) {
    const isLate = isMcpError(error, 'timeout')
    const isGivenUp = isLate || (options.signal.aborted && !isMcpError(error, 'closed'))
    const closing = connection.close(error)
    if (!isGivenUp) await closing
    throw isLate ? notReady(transport.peer, options.connectMs) : error
  }
}

/** What was left of the time when the last request went out is nothing anybody set. */
function notReady(peer: string | undefined, ms: number): McpError {
  return new McpError('timeout', `${peer ?? 'the server'} was not ready within ${ms} ms`, {
    details: { limit: 'connect', ms },
    peer,
    hint: 'Raise timeouts.connectMs if it starts slowly.',
  })
}

const warning = { severity: 'warning' } as const

/** In its revision servers only answer; and we would not be allowed to. */
function unasked(method: string, peer: string | undefined): McpError {
  const why = `${peer ?? 'the server'} sent a request, ${method}, which its revision does not have`
  return new McpError('invalid_message', why, { details: { excerpt: method }, peer })
}

import type { Clock } from '../rpc/clock.ts'
import { openConnection, type Connection } from '../rpc/connection.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { Frame } from '../rpc/frame.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { Notification, Request } from '../rpc/message.ts'
import type { Transport } from '../rpc/transport.ts'
import type { ClientCapabilities, ServerCapabilities } from '../schema/capabilities.ts'
import { describeProblem } from '../schema/check.ts'
import type { JsonObject } from '../schema/json.ts'
import { initializeResult, type InitializeResult } from '../schema/lifecycle.ts'
import type { Implementation } from '../schema/metadata.ts'
import { acceptVersion, versionRefusal } from '../session/negotiation.ts'
import { codecOf, transition, type SessionState } from '../session/session-state.ts'
import type { Codec } from '../wire/codec.ts'
import { decodeWireError, encodeWireError } from '../wire/error-codes.ts'
import { newestHandshake } from '../wire/revisions.ts'

/** A server that has been greeted: how to talk to it and what it can do. */
export interface ClientSession {
  readonly connection: Connection
  readonly codec: Codec
  readonly transport: Transport
  readonly server: ServerDescription
}

/** As the server describes itself. */
export interface ServerDescription {
  readonly info: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
}

export interface SessionOptions {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
  /** Newest first. */
  readonly revisions: readonly string[]
  readonly connectMs: number
  readonly signal: AbortSignal | undefined
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly onError: OnError
  readonly onMessage: ((frame: Frame) => void) | undefined
  /** What the server sends; the connection is there from the first message on. */
  readonly onRequest: (request: Request, connection: Connection) => void
  readonly onNotification: (notification: Notification) => void
  /** Once, also when the handshake fails. */
  readonly onEnd: (error: unknown) => void
  /** Known as soon as it is agreed. */
  readonly onCodec: (codec: Codec) => void
}

/** Shakes hands over a fresh transport; on any failure the transport is closed and the reason thrown. */
export async function openSession(
  transport: Transport,
  options: SessionOptions,
): Promise<ClientSession> {
  const { info, capabilities, revisions, clock, limits, onError } = options
  let state: SessionState = { status: 'opening' }
  const connection = openConnection({
    transport,
    clock,
    limits,
    answersAhead: limits.inFlight, // a server may stop reading while it writes; a client that did so too would never see it end
    onError,
    onMessage: options.onMessage,
    onRequest: (request) =>
      request.method === 'ping'
        ? connection.reply(request.id, { jsonrpc: '2.0', id: request.id, result: {} })
        : options.onRequest(request, connection),
    onNotification: options.onNotification,
    onEnd: options.onEnd,
    acceptsBatches: () => codecOf(state)?.has.batches ?? false,
    decodeError: decodeWireError,
    encodeError: encodeWireError,
  })
  try {
    const offer = newestHandshake(revisions)
    if (offer === undefined) {
      throw new McpError(
        'unsupported',
        `none of the revisions ${revisions.join(', ')} can be spoken`,
        {
          details: { capability: 'protocolVersion' },
        },
      )
    }
    const hello = { protocolVersion: offer.revision, capabilities, clientInfo: info }
    const params = offer.encodeParams('initialize', hello) as JsonObject // JSON by construction
    const answer: unknown = await connection.request('initialize', params, {
      idleMs: options.connectMs,
      totalMs: Infinity,
      limit: 'connect',
      signal: options.signal,
    })
    const welcome = checkWelcome(answer, transport.peer)
    const codec = acceptVersion(welcome.protocolVersion, revisions, transport.peer)
    state = transition(state, { type: 'initialize-answered', codec })
    options.onCodec(codec)
    connection.notify('notifications/initialized')
    state = transition(state, { type: 'initialized' })
    const { serverInfo, capabilities: offered, instructions } = welcome
    const server = {
      info: serverInfo,
      capabilities: offered,
      ...(instructions !== undefined && { instructions }),
    }
    return { connection, codec, transport, server }
  } catch (error) {
    const reason = versionRefusal(error, revisions, transport.peer) ?? error
    await connection.close(reason)
    throw reason
  }
}

function checkWelcome(answer: unknown, peer: string | undefined): InitializeResult {
  const problem = initializeResult(answer)
  if (problem === undefined) return answer as InitializeResult // just checked
  const why = describeProblem(problem)
  throw new McpError('invalid_message', `the answer to initialize is not usable: ${why}`, {
    details: { excerpt: why },
    peer,
  })
}

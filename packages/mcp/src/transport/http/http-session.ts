import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/error-report.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import { McpError } from '../../rpc/mcp-error.ts'
import {
  createPendingRequests,
  type PendingOptions,
  type PendingRequests,
} from '../../rpc/pending-requests.ts'
import { RpcError } from '../../rpc/rpc-error.ts'
import type { JsonObject } from '../../schema/json.ts'
import { createCallsInFlight, type CallsInFlight } from '../../server/calls-in-flight.ts'
import type { Definition, ServerChange } from '../../server/definition.ts'
import type { Greeting } from '../../server/greeting.ts'
import { createSession, type Session } from '../../server/session.ts'
import { unsubscribeAll } from '../../server/subscriptions.ts'
import type { EventLog } from './event-log.ts'
import type { EventStream } from './event-stream.ts'
import { createSessionStreams, type SessionStreams } from './session-streams.ts'
import type { Trace } from './trace.ts'

export interface HttpSessionOptions {
  /** Undefined without sessions: then it lasts for one request. */
  readonly id: string | undefined
  readonly greeting: Greeting
  readonly auth: AuthInfo | undefined
  readonly definition: Definition
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly onError: OnError
  readonly log: EventLog | undefined
  readonly keepAliveMs: number
  readonly trace: Trace
}

/** One caller over HTTP: many requests and streams, one after the other and at once. */
export interface HttpSession {
  readonly id: string | undefined
  /** Whom it belongs to; nobody else may use it. */
  readonly principal: string
  readonly greeting: Greeting
  readonly session: Session
  readonly calls: CallsInFlight
  readonly pending: PendingRequests
  readonly streams: SessionStreams
  /** Answers still to be given, which an end of the session must not leave waiting. */
  readonly answers: Set<{ giveUp(error: RpcError): void }>
  readonly openedAt: number
  /** Changes with every request. */
  usedAt: number
  /** The client has said `notifications/initialized`. */
  isReady: boolean
  /** Its requests name another revision than was agreed on, and that was reported. */
  hasStrayed: boolean
  /** Somebody waits for an answer or reads a stream. */
  isBusy(): boolean
  /** Asks on the stream of a call, and takes the question back there if nobody waits for it any more. */
  ask(
    stream: EventStream,
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
  tellChange(change: ServerChange): void
  end(why: string): void
}

export function createHttpSession(options: HttpSessionOptions): HttpSession {
  const { id, greeting, auth, definition, clock, limits, onError } = options
  const calls = createCallsInFlight(definition, clock, limits)
  const pending = createPendingRequests({ clock, onAbandoned: withdraw })
  const streams = createSessionStreams({
    sessionId: id,
    log: options.log,
    clock,
    bufferedBytes: limits.bufferedBytes,
    keepAliveMs: options.keepAliveMs,
    trace: options.trace,
  })
  const asked = new Map<number, EventStream>()

  const own: HttpSession = {
    id,
    principal: principalOf(auth),
    greeting,
    session: createSession({
      greeting,
      auth,
      isLocal: false,
      sessionId: id,
      clock,
      limits,
      onError,
      isReady: () => own.isReady,
      keepTime: calls.keepTime,
    }),
    calls,
    pending,
    streams,
    answers: new Set(),
    openedAt: clock.now(),
    usedAt: clock.now(),
    isReady: id === undefined,
    hasStrayed: false,
    isBusy: () => calls.count() > 0 || streams.countOpen() > 0,

    async ask(stream, method, params, limited) {
      let question = 0
      try {
        return await pending.open(method, limited, (requestId) => {
          question = requestId
          asked.set(requestId, stream)
          stream.send(JSON.stringify({ jsonrpc: '2.0', id: requestId, method, params }))
        })
      } finally {
        asked.delete(question)
      }
    },

    tellChange(change) {
      if (!own.isReady) return
      if (change.type === 'resource') {
        if (!own.session.subscriptions.has(change.uri)) return
        const params = { uri: change.uri }
        tell({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })
      } else if (greeting.declared[change.type]?.listChanged) {
        tell({ jsonrpc: '2.0', method: `notifications/${change.type}/list_changed` })
      }
    },

    end(why) {
      calls.abortAll('session', why)
      calls[Symbol.dispose]()
      if (pending.count() > 0) {
        pending.rejectAll(new McpError('cancelled', why, { details: { by: 'session' } }))
      }
      pending[Symbol.dispose]()
      for (const answer of own.answers) answer.giveUp(new RpcError('session_not_found', why))
      own.answers.clear()
      streams.end()
      unsubscribeAll(definition, own.session)
    },
  }
  return own

  function tell(message: object): void {
    streams.tell(JSON.stringify(message))
  }

  /** A question we no longer wait for: the client should stop asking its user. */
  function withdraw(requestId: number, _method: string, reason: unknown): void {
    const text = reason instanceof Error ? reason.message : undefined
    const params = { requestId, ...(text !== undefined && { reason: text }) }
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
    asked.get(requestId)?.send(JSON.stringify(message))
  }
}

/** What a session, its events and its calls are bound to. */
export function principalOf(auth: AuthInfo | undefined): string {
  return auth === undefined ? '' : JSON.stringify([auth.issuer, auth.subject])
}

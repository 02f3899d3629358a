import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/error-report.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import { McpError } from '../../rpc/mcp-error.ts'
import { createPendingRequests, type PendingRequests } from '../../rpc/pending-requests.ts'
import { createCallsInFlight, type CallsInFlight } from '../../server/calls-in-flight.ts'
import type { Definition, ServerChange } from '../../server/definition.ts'
import type { Greeting } from '../../server/greeting.ts'
import { createSession, type Session } from '../../server/session.ts'
import { unsubscribeAll } from '../../server/subscriptions.ts'
import { createEventStream, type EventStream, type ReplayLimits } from './event-stream.ts'
import type { StreamOutput } from './exchange.ts'

export interface HttpSessionOptions {
  /** Undefined without sessions: then it lasts for one request. */
  readonly id: string | undefined
  readonly greeting: Greeting
  readonly auth: AuthInfo | undefined
  readonly definition: Definition
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly onError: OnError
  readonly replay: ReplayLimits | false
  readonly keepAliveMs: number
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
  readonly openedAt: number
  /** Changes with every request. */
  usedAt: number
  isReady: boolean
  /** Somebody waits for an answer or reads a stream. */
  readonly isBusy: boolean
  readonly streams: number
  createStream(): EventStream
  /** Opens the stream of what belongs to no call; an earlier reader is closed. */
  listen(output: StreamOutput): EventStream
  findStream(id: string): EventStream | undefined
  tellChange(change: ServerChange): void
  /** Forgets streams that ended before `before`. */
  sweep(before: number): void
  release(retryMs: number): void
  end(why: string): void
}

export function createHttpSession(options: HttpSessionOptions): HttpSession {
  const { id, greeting, auth, definition, clock, limits, onError } = options
  const calls = createCallsInFlight(definition, clock, limits)
  const streams = new Map<string, { readonly stream: EventStream; endedAt: number }>()
  let lastStream = 0
  let standalone: EventStream | undefined

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
    pending: createPendingRequests({ clock, onAbandoned: withdraw }),
    openedAt: clock.now(),
    usedAt: clock.now(),
    isReady: id === undefined,
    get isBusy() {
      return calls.size > 0 || [...streams.values()].some(({ stream }) => stream.isAttached)
    },
    get streams() {
      return streams.size
    },

    createStream,
    listen(output) {
      standalone ??= createStream()
      standalone.attach(output, Infinity)
      return standalone
    },
    findStream: (streamId) => streams.get(streamId)?.stream,

    tellChange(change) {
      if (standalone === undefined || !own.isReady) return
      if (change.type === 'resource') {
        if (!own.session.subscriptions.has(change.uri)) return
        const params = { uri: change.uri }
        standalone.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })
      } else if (greeting.declared[change.type]?.listChanged) {
        standalone.send({ jsonrpc: '2.0', method: `notifications/${change.type}/list_changed` })
      }
    },

    sweep(before) {
      for (const [streamId, entry] of streams) {
        if (!entry.stream.isEnded) entry.endedAt = clock.now()
        else if (entry.endedAt < before) streams.delete(streamId)
      }
    },

    release(retryMs) {
      for (const { stream } of streams.values()) stream.release(retryMs)
    },

    end(why) {
      calls.abortAll('session', why)
      calls[Symbol.dispose]()
      own.pending.rejectAll(new McpError('cancelled', why, { details: { by: 'session' } }))
      own.pending[Symbol.dispose]()
      for (const { stream } of streams.values()) stream.end()
      streams.clear()
      unsubscribeAll(definition, own.session)
    },
  }
  return own

  function createStream(): EventStream {
    const stream = createEventStream({
      id: (++lastStream).toString(36),
      replay: id === undefined ? false : options.replay,
      bufferedBytes: limits.bufferedBytes,
      keepAliveMs: options.keepAliveMs,
      clock,
    })
    streams.set(stream.id, { stream, endedAt: clock.now() })
    return stream
  }

  /** A question we no longer wait for: the client should stop asking its user. */
  function withdraw(requestId: number, _method: string, reason: unknown): void {
    const text = reason instanceof Error ? reason.message : undefined
    const params = { requestId, ...(text !== undefined && { reason: text }) }
    const open = [...streams.values()].find(({ stream }) => stream.isAttached)
    open?.stream.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
}

/** What a session, its events and its calls are bound to. */
export function principalOf(auth: AuthInfo | undefined): string {
  return auth === undefined ? '' : JSON.stringify([auth.issuer, auth.subject])
}

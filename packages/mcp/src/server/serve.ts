import type { AuthInfo } from '../rpc/auth-info.ts'
import { systemClock, type Clock } from '../rpc/clock.ts'
import { openConnection } from '../rpc/connection.ts'
import { createDeadlines } from '../rpc/deadlines.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { Frame } from '../rpc/frame.ts'
import { guardedReport } from '../rpc/guarded-report.ts'
import { resolveLimits, type Limits } from '../rpc/limits.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { Notification, Request, RequestId } from '../rpc/message.ts'
import { isRpcError, RpcError } from '../rpc/rpc-error.ts'
import type { Transport } from '../rpc/transport.ts'
import { cancelledParams, type CancelledNotificationParams } from '../schema/cancellation.ts'
import { describeProblem } from '../schema/check.ts'
import type { JsonObject } from '../schema/json.ts'
import { initializeParams, type InitializeRequestParams } from '../schema/lifecycle.ts'
import type { MetaObject } from '../schema/metadata.ts'
import type { Revision } from '../schema/revision.ts'
import { keepAlive, type HeartbeatOptions } from '../session/heartbeat.ts'
import { answerVersion } from '../session/negotiation.ts'
import {
  codecOf,
  transition,
  type SessionEvent,
  type SessionState,
} from '../session/session-state.ts'
import { decodeWireError, encodeWireError } from '../wire/error-codes.ts'
import { spokenRevisions } from '../wire/revisions.ts'
import { Call } from './call.ts'
import type { Caller } from './caller.ts'
import { capabilitiesOf } from './capabilities.ts'
import type { Definition, ServerChange } from './definition.ts'
import { dispatch, type Answer } from './dispatch.ts'
import { reportFault } from './fault.ts'
import { instructionsOf } from './instructions.ts'
import { mergeListChanges } from './list-changes.ts'
import { definitionOf, type Server } from './server.ts'
import { createSessionCaller } from './session-caller.ts'
import { unsubscribeAll } from './subscriptions.ts'

/** What every way of serving understands. */
export interface ServeOptions {
  /** Refuse some revisions. @defaultValue all we speak */
  readonly revisions?: readonly Revision[] | undefined
  readonly limits?: Limits | undefined
  readonly clock?: Clock | undefined
  /** Ping at an interval, to find a client that hangs. @defaultValue false: the channel's end is found anyway */
  readonly heartbeat?: false | HeartbeatOptions | undefined
  readonly onMessage?: ((frame: Frame) => void) | undefined
  /** @defaultValue the definition's own */
  readonly onError?: OnError | undefined
}

/** Something being served. Disposing it is `drain()` with the default deadline. */
export interface Service extends AsyncDisposable {
  /** Stops intake, lets calls finish, aborts the rest at the deadline, closes. Calling it twice is calling it once. */
  drain(options?: { readonly deadlineMs?: number | undefined }): Promise<DrainReport>
  /** Settles when nothing is served any more, whoever ended it. */
  readonly closed: Promise<void>
}
export interface DrainReport {
  readonly finished: number
  readonly aborted: number
}

/** Serves one peer on a transport of your own. */
export function serveTransport<App>(
  server: Server<App, unknown>,
  transport: Transport,
  options: ServeOptions & { readonly auth?: AuthInfo | undefined } = {},
): Service {
  return serveDefinition(definitionOf(server), transport, options)
}

/** One connection to one peer: its handshake, its calls in flight, and its end. */
export function serveDefinition(
  definition: Definition,
  transport: Transport,
  options: ServeOptions & { readonly auth?: AuthInfo | undefined } = {},
): Service {
  const { clock = systemClock, revisions = spokenRevisions, auth } = options
  const onError = guardedReport(options.onError ?? definition.settings.onError)
  const limits = resolveLimits(options.limits)
  const calls = new Map<RequestId, Call>()
  const deadlines = createDeadlines(clock, timeOut)
  const changes = mergeListChanges(clock, tellChange)
  let state: SessionState = { status: 'opening' }
  let caller: Caller | undefined
  let draining: Promise<DrainReport> | undefined
  let onIdle: (() => void) | undefined
  let heartbeat: Disposable | undefined
  let markClosed: () => void
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  const connection = openConnection({
    transport,
    clock,
    limits,
    answersAhead: 0,
    onRequest,
    onNotification,
    onEnd,
    onError,
    onMessage: options.onMessage,
    acceptsBatches: () => codecOf(state)?.has.batches ?? false,
    decodeError: decodeWireError,
    encodeError: encodeWireError,
  })
  definition.listeners.add(changes.add)

  function advance(event: SessionEvent): void {
    state = transition(state, event)
  }

  function onRequest(request: Request): void {
    const { id, method } = request
    if (method === 'ping' && !calls.has(id)) {
      return connection.reply(id, { jsonrpc: '2.0', id, result: {} })
    }
    const refusal = refusalOf(request)
    if (refusal)
      return connection.refuse(refusal.isDuplicate ? undefined : id, encodeWireError(refusal.error))
    if (caller === undefined) return initialize(request)
    const call = new Call(caller, method, request.params['_meta'] as MetaObject | undefined) // checked with the params
    calls.set(id, call)
    dispatch(definition, method, request.params, call).then(
      (answer) => finish(id, call, answer),
      (error: unknown) => fail(id, call, error),
    )
  }

  function refusalOf({
    id,
    method,
  }: Request): { error: RpcError; isDuplicate?: boolean } | undefined {
    if (calls.has(id)) {
      // Without the id: the answer to the first request with it must stay the only one.
      const why = `the request id ${JSON.stringify(id)} is still in use`
      return { error: new RpcError('invalid_request', why), isDuplicate: true }
    }
    if (draining) return { error: new RpcError('overloaded', 'the server is shutting down') }
    if (method === 'initialize') {
      if (caller === undefined) return undefined
      return { error: new RpcError('invalid_request', 'this session is initialized already') }
    }
    if (caller === undefined) {
      return {
        error: new RpcError('invalid_request', `${method} before initialize: initialize first`),
      }
    }
    if (calls.size >= limits.inFlight) {
      const why = `more requests at once than limits.inFlight (${limits.inFlight}) allows`
      return { error: new RpcError('overloaded', why) }
    }
    return undefined
  }

  function initialize({ id, params }: Request): void {
    try {
      const problem = initializeParams(params)
      if (problem) throw new RpcError('invalid_params', `initialize: ${describeProblem(problem)}`)
      const hello = params as unknown as InitializeRequestParams // just checked
      const codec = answerVersion(hello.protocolVersion, revisions)
      const declared = capabilitiesOf(definition)
      const instructions = instructionsOf(definition)
      caller = createSessionCaller({
        connection,
        codec,
        hello,
        declared,
        auth,
        clock,
        limits,
        onError,
        isReady: () => state.status === 'ready',
        keepTime: deadlines.arm,
      })
      advance({ type: 'initialize-answered', codec })
      const result = codec.encodeResult('initialize', {
        protocolVersion: codec.revision,
        capabilities: declared,
        serverInfo: definition.info,
        ...(instructions !== undefined && { instructions }),
      })
      connection.reply(id, { jsonrpc: '2.0', id, result })
    } catch (error) {
      connection.refuse(id, encodeWireError(isRpcError(error) ? error : masked(error)))
    }
  }

  function masked(error: unknown): RpcError {
    onError(error, { severity: 'error', operation: 'initialize' })
    return new RpcError('internal_error', 'internal error')
  }

  function finish(id: RequestId, call: Call, answer: Answer): void {
    if (!settle(id, call)) return
    try {
      connection.reply(id, response(id, call, answer))
    } catch (error) {
      connection.refuse(id, encodeWireError(reportFault(error, call)))
    }
  }

  /** Throws for a result that is not what its author said it is. */
  function response(id: RequestId, { caller: { codec }, operation }: Call, answer: Answer) {
    return answer.kind === 'json'
      ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answer.json}}`
      : { jsonrpc: '2.0', id, result: codec.encodeResult(operation, answer.result) }
  }

  function fail(id: RequestId, call: Call, error: unknown): void {
    if (!settle(id, call)) return
    connection.refuse(id, encodeWireError(isRpcError(error) ? error : masked(error)))
  }

  /** True if the call still wants an answer. */
  function settle(id: RequestId, call: Call): boolean {
    calls.delete(id)
    if (calls.size === 0) onIdle?.()
    if (call.isAborted) return false
    call.end()
    return true
  }

  function timeOut(now: number): number {
    let next = Infinity
    for (const [id, call] of calls) {
      if (call.isAborted) continue
      if (call.dueAt > now) next = Math.min(next, call.dueAt)
      else {
        const text = `${call.operation} ran out of time`
        call.abort('timeout', text)
        const result = { content: [{ type: 'text', text }], isError: true }
        connection.reply(id, { jsonrpc: '2.0', id, result })
      }
    }
    return next
  }

  function onNotification({ method, params }: Notification): void {
    switch (method) {
      case 'notifications/initialized':
        return onInitialized()
      case 'notifications/cancelled':
        return onCancelled(params)
      case 'notifications/roots/list_changed':
        return // roots are asked for when they are needed
      default:
        return // unknown notifications are never answered
    }
  }

  function onInitialized(): void {
    advance({ type: 'initialized' })
    if (state.status !== 'ready' || !options.heartbeat) return
    heartbeat ??= keepAlive(connection, clock, options.heartbeat, onError)
  }

  function onCancelled(params: JsonObject): void {
    if (cancelledParams(params) !== undefined) return // malformed ones are ignored
    const { requestId, reason } = params as unknown as CancelledNotificationParams // just checked
    const call = requestId === undefined ? undefined : calls.get(requestId)
    if (call === undefined || requestId === undefined) return // finished or never there
    call.abort('caller', reason ?? 'the caller cancelled')
    connection.forget(requestId)
  }

  function tellChange(change: ServerChange): void {
    if (caller === undefined || state.status !== 'ready') return
    if (change.type === 'resource') {
      if (caller.subscriptions.has(change.uri)) {
        caller.notify('notifications/resources/updated', { uri: change.uri })
      }
    } else if (caller.declared[change.type]?.listChanged) {
      connection.notify(`notifications/${change.type}/list_changed`)
    }
  }

  function onEnd(cause: unknown): void {
    advance({ type: 'closed', cause })
    definition.listeners.delete(changes.add)
    heartbeat?.[Symbol.dispose]()
    changes[Symbol.dispose]()
    deadlines[Symbol.dispose]()
    for (const call of calls.values()) call.abort('disconnect', 'the client has gone')
    if (caller) unsubscribeAll(definition, caller)
    onIdle?.()
    void connection.close(
      new McpError('closed', 'the connection has ended', { details: undefined }),
    )
    markClosed()
  }

  async function drain(deadlineMs: number): Promise<DrainReport> {
    const atStart = calls.size
    if (atStart > 0 && state.status !== 'closed') {
      const timer = clock.setTimer(() => onIdle?.(), deadlineMs)
      await new Promise<void>((resolve) => (onIdle = resolve))
      timer[Symbol.dispose]()
    }
    const left = [...calls].filter(([, call]) => !call.isAborted)
    for (const [id, call] of left) {
      call.abort('drain', 'the server is shutting down')
      connection.refuse(
        id,
        encodeWireError(new RpcError('overloaded', 'the server is shutting down')),
      )
    }
    await connection.close(
      new McpError('draining', 'the service is shutting down', { details: undefined }),
    )
    return { finished: atStart - left.length, aborted: left.length }
  }

  const service: Service = {
    // A turn later, because closing may lead back here; intake stops at once.
    drain: ({ deadlineMs = 5_000 } = {}) => (draining ??= Promise.resolve(deadlineMs).then(drain)),
    closed,
    [Symbol.asyncDispose]: async () => void (await service.drain()),
  }
  return service
}

import { quotaKeyOf, type AuthInfo } from '../../rpc/auth-info.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { DeprecatedFeature } from '../../rpc/deprecation.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { ServerLimits } from '../../rpc/limits.ts'
import type { MemoryShare } from '../../rpc/memory-budget.ts'
import type { RequestId } from '../../rpc/message.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import type { ClientCapabilities, ServerCapabilities } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Implementation } from '../../schema/metadata.ts'
import type { Progress } from '../../schema/progress.ts'
import type { Codec } from '../../wire/codec.ts'
import type { HeaderAnnotation } from '../../wire/param-headers.ts'
import type { BackendSession } from '../backend.ts'
import type { Definition } from '../definition.ts'
import type { StateSecrets } from '../input/request-state.ts'
import type { Responder } from './call.ts'

/**
 * The client of a request, as the call sees it: who it is, what it can do, and the way back to it.
 *
 * One class for all callers. What differs is in three parts: `CallService` (the running service), `ClientState` (a session, or
 * the `_meta` of a modern request) and the channel (a connection, the HTTP response of one POST, or another process).
 * Sessions and `StandaloneRequests` create one for each request; `createRemoteCaller` creates one for a call that another
 * process received. Calls are run by `CallsInFlight`; how a message is written is decided by the channel.
 */

/** The parts of a running service that a call needs. */
export interface CallService {
  /** Undefined for a call that is made on behalf of another process. */
  readonly definition: Definition | undefined
  /** Revisions that the service supports, newest first. */
  readonly supported: readonly string[]
  /** True over stdio and in process: without a guard, the caller is the local user and passes scope checks. */
  readonly isLocal: boolean
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly onError: OnError
  /** Secrets that seal request states. */
  readonly stateSecrets: StateSecrets | undefined
  /** Arms the timer that ends calls past their deadline. */
  readonly keepTime: (dueAt: number) => void
}

/** The client of a request: a session that was opened with `initialize`, or what a modern request says in its `_meta`. */
export interface ClientState {
  readonly codec: Codec
  /** Name, version and capabilities, as the client describes itself. */
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities }
  /** The capabilities that the server declared to this client. */
  readonly declared: ServerCapabilities
  /** Least severe level to send; undefined sends no log messages. */
  logLevel: LoggingLevel | undefined
  readonly subscriptions: Set<string>
  /** False until a legacy client has sent `notifications/initialized`. */
  readonly isReady: boolean
  /** The key that limits count by. Undefined: the account of the request. */
  readonly quotaKey?: object | string | undefined
  readonly sessionId?: string | undefined
  /** Counts the bytes that the session holds. */
  readonly memory?: Pick<MemoryShare, 'reserve' | 'release'> | undefined
  /** Where a proxy sends the requests of this session. */
  readonly backend?: BackendSession | undefined
  /** Takes one log message from the allowed rate. Absent: there is no rate. */
  mayLog?(): boolean
  /** Reports, once, that log messages were dropped. */
  reportDropped?(): void
}

/** How messages reach the client while a call runs: a connection, or the HTTP response of one request. */
export interface CallerChannel {
  notify(method: string, params?: JsonObject): void
  /** Sends a notification that belongs to no call. Absent: `notify` does it too. */
  notifySession?(method: string, params: JsonObject): void
  request(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
  /** Resolves when the client has caught up; undefined if it reads fast enough. */
  drained(): Promise<void> | undefined
  /** False if the buffer for this client is full. Absent: `room` decides. */
  hasSpace?(): boolean
  /** Closes the stream while the call goes on; the client reconnects for the rest. Absent where that is impossible. */
  release?(retryMs?: number): void
}

/** Facts that can differ between the requests of one session. */
export interface RequestAuth {
  readonly auth?: AuthInfo | undefined
  readonly http?: HttpRequestInfo | undefined
  readonly authorize?: Authorize | undefined
}

/** The HTTP request of a call. */
export interface HttpRequestInfo {
  readonly url: string
  header(name: string): string | undefined
  /** The first `Mcp-Param-*` header that differs from its argument. Absent where headers belong to the connection. */
  mismatch?(annotations: readonly HeaderAnnotation[], args: JsonObject): string | undefined
  /** All `Mcp-Param-*` headers; undefined if there are none. Absent as `mismatch` is. */
  paramHeaders?(): { readonly [name: string]: string } | undefined
  /** Keeps a serverless runtime alive after the response. Absent elsewhere. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/**
 * The client that sent a request, and the way back to it. Everything a call sends goes through its caller, so it cannot
 * reach another client. A class, because HTTP creates one for every request: methods on a prototype are measurably cheaper.
 */
export class Caller {
  readonly service: CallService
  readonly state: ClientState
  readonly codec: Codec
  /** The verified identity; undefined without a guard. */
  readonly auth: AuthInfo | undefined
  /** Undefined over transports other than HTTP. */
  readonly http: HttpRequestInfo | undefined
  /** Asks the guard. Undefined without a guard, and where scopes alone decide. */
  readonly authorize: Authorize | undefined
  private readonly channel: CallerChannel

  constructor(
    service: CallService,
    state: ClientState,
    channel: CallerChannel,
    { auth, http, authorize }: RequestAuth,
  ) {
    this.service = service
    this.state = state
    this.codec = state.codec
    this.auth = auth
    this.http = http
    this.authorize = authorize
    this.channel = channel
  }

  get client(): ClientState['client'] {
    return this.state.client
  }
  get declared(): ServerCapabilities {
    return this.state.declared
  }
  get quotaKey(): object | string {
    const { state, service, http, auth } = this
    return state.quotaKey ?? (http === undefined ? service : quotaKeyOf(auth))
  }
  get sessionId(): string | undefined {
    return this.state.sessionId
  }
  get subscriptions(): Set<string> {
    return this.state.subscriptions
  }
  get memory(): ClientState['memory'] {
    return this.state.memory
  }
  get backend(): BackendSession | undefined {
    return this.state.backend
  }
  get logLevel(): LoggingLevel | undefined {
    return this.state.logLevel
  }
  get isLocal(): boolean {
    return this.service.isLocal
  }
  get clock(): Clock {
    return this.service.clock
  }
  get limits(): ServerLimits {
    return this.service.limits
  }
  get onError(): OnError {
    return this.service.onError
  }
  get supported(): readonly string[] {
    return this.service.supported
  }
  /** Undefined in revisions where the client answers while the call waits. */
  get stateSecrets(): StateSecrets | undefined {
    return this.codec.has.serverRequests ? undefined : this.service.stateSecrets
  }
  /** Called when a call uses a feature that this revision deprecates. */
  get deprecated(): ((feature: DeprecatedFeature) => void) | undefined {
    return this.codec.has.initialize ? undefined : this.service.definition?.settings.deprecated
  }
  /** Resolves when the client has caught up; undefined if it reads fast enough. */
  get drained(): Promise<void> | undefined {
    return this.channel.drained()
  }

  /** A modern client sets the level with each request. */
  setLogLevel(level: LoggingLevel): void {
    if (this.codec.has.initialize) this.state.logLevel = level
  }

  /** False if the message exceeds the rate, or the buffer is full. */
  mayLog(): boolean {
    const { state, channel } = this
    const hasSpace = channel.hasSpace?.() ?? channel.drained() === undefined
    const mayLog = (state.mayLog?.() ?? true) && hasSpace
    if (!mayLog) state.reportDropped?.()
    return mayLog
  }

  /** Sends a notification that belongs to the call. Before `notifications/initialized` only log messages are sent. */
  notify(method: string, params: object): void {
    if (this.state.isReady || method === 'notifications/message') this.send(method, params)
  }

  /** Sends a notification that belongs to the session. False in revisions without sessions. */
  notifySession(method: string, params: object): boolean {
    if (!this.codec.has.initialize) return false
    if (!this.state.isReady) return true
    if (this.channel.notifySession) this.channel.notifySession(method, this.encode(method, params))
    else this.send(method, params)
    return true
  }

  /** Sends a request to the client. The result is not checked yet. */
  async request(
    method: string,
    params: object | undefined,
    { timeoutMs, signal, onProgress }: RequestLimits,
  ): Promise<JsonObject> {
    if (!this.codec.has.serverRequests)
      throw new TypeError(`${method}: ${this.codec.revision} has no server requests`)
    if (!this.state.isReady) throw notReady(method)
    const limits = { idleMs: timeoutMs, totalMs: Infinity, limit: 'input', signal } as const
    const limited = onProgress === undefined ? limits : { ...limits, onProgress }
    return this.channel.request(method, params as JsonObject | undefined, limited) // messages are JSON
  }

  /** Arms the timer that ends calls past their deadline. */
  keepTime(dueAt: number): void {
    this.service.keepTime(dueAt)
  }

  /** Closes the stream while the call goes on, where that is possible. */
  releaseStream(retryMs?: number): void {
    this.channel.release?.(retryMs)
  }

  /** The same client without the response of its request, for a call that goes on as a task. */
  detached(keepTime: CallService['keepTime']): Caller {
    const notifySession: CallerChannel['notify'] = (method, params = {}) =>
      void this.notifySession(method, params)
    const request = async (method: string) => {
      throw new TypeError(`${method}: a task cannot send requests to its client`)
    }
    const channel = {
      notify: notifySession,
      drained: () => undefined,
      hasSpace: () => false,
      request,
    }
    const state: ClientState = Object.create(this.state, {
      logLevel: { value: undefined, writable: true },
    })
    const service: CallService = Object.create(this.service, { keepTime: { value: keepTime } })
    return new Caller(service, state, channel, this)
  }

  private send(method: string, params: object): void {
    this.channel.notify(method, this.encode(method, params))
  }

  private encode(method: string, params: object): JsonObject {
    return this.codec.encodeParams(method, params) as JsonObject // messages are JSON
  }
}

function notReady(method: string): RpcError {
  const why = `${method}: the client has not sent notifications/initialized yet`
  return new RpcError('invalid_request', why)
}

/** Undefined if the caller may do this, else the refusal. */
export type Authorize = (asked: RequestedOperation) => RpcError | undefined

/** The operation to authorize, as far as it is known yet. */
export interface RequestedOperation {
  readonly method: string
  /** The tool, prompt, task or URI. */
  readonly name?: string
  /** All scopes that it needs. */
  readonly scopes: readonly string[]
}

/** How long a request to the client may take. */
export interface RequestLimits {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called with the progress of the request. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Where the messages of a client come from and where responses go: a connection, or one POST. */
export interface RequestChannel extends CallerChannel, Responder {
  /** The sender of the current message, which may differ from the one that opened the session. */
  readonly sender: RequestAuth
  /** The caller for these facts; set by the first request that needs it. */
  caller: Caller | undefined
  /** Announces a batch: the responses to these requests are sent together, behind `refusals` for malformed members. */
  openBatch(ids: readonly RequestId[], rejections: readonly object[]): void
  /** Rejects a request because its client has too many in flight. Absent: `refuse` does it too. */
  rejectBusy?: Responder['reject']
}

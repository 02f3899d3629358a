import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { MemoryShare } from '../../rpc/byte-account.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { DeprecatedFeature } from '../../rpc/deprecation.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { ServerLimits } from '../../rpc/limits.ts'
import type { RequestId } from '../../rpc/message.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import type { ClientCapabilities, ServerCapabilities } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Implementation } from '../../schema/metadata.ts'
import type { Progress } from '../../schema/progress.ts'
import type { Codec } from '../../wire/codec.ts'
import type { HeaderAnnotation } from '../../wire/param-headers.ts'
import type { StateSecrets } from '../input/request-state.ts'
import type { ServerSession } from '../peer/peer.ts'
import type { BackendSession } from '../relay.ts'
import type { Answers } from './call.ts'

/**
 * The client that sent a request, and how to reach it while it waits. A transport makes one; the definition never keeps it.
 * Everything that a call sends goes through here, so that it cannot reach another client.
 */
export interface Caller {
  /** How messages are written in the caller's revision. */
  readonly codec: Codec
  /** Name, version and capabilities, as the client describes itself. */
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities }
  /** The capabilities that were declared to the caller; they hold for the whole session. */
  readonly declared: ServerCapabilities
  /** Who it is, as the guard verified it; absent without a guard. */
  readonly auth?: AuthInfo
  /** The key that limits count by: the same for all requests of one caller. */
  readonly quotaKey: object | string
  /** Without a guard, a caller over stdio or in process is the local user and passes scope checks. */
  readonly isLocal: boolean
  /** Asks the guard of the transport. Absent without a guard, and where scopes alone decide. */
  readonly authorize?: Authorize
  /** The id of its session; absent without one. */
  readonly sessionId?: string
  /** Address and headers of the HTTP request; absent over other transports. */
  readonly http?: {
    readonly url: string
    header(name: string): string | undefined
    /**
     * The first header that does not repeat its argument; undefined if all do. Absent where the headers belong to the
     * request that opened the channel, and not to the message.
     */
    mismatch?(annotations: readonly HeaderAnnotation[], args: JsonObject): string | undefined
    /** Headers that say that they repeat arguments. Undefined if there are none; absent as `mismatch` is. */
    paramHeaders?(): { readonly [name: string]: string } | undefined
    /** Keeps a runtime that stops with its last answer running for longer. Absent where none does so. */
    readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  }
  /** What time is read from. */
  readonly clock: Clock
  /** How much the caller may send and hold. */
  readonly limits: ServerLimits
  /** Hears what goes wrong for this caller. */
  readonly onError: OnError
  /** Called when a feature is used that the caller's revision deprecates. Absent in revisions that deprecate nothing. */
  readonly deprecated?: (feature: DeprecatedFeature) => void

  /** Least severe level sent; undefined sends nothing. */
  readonly logLevel: LoggingLevel | undefined
  /** Changes the least severe log level that is sent. */
  setLogLevel(level: LoggingLevel): void
  /** URIs that the caller has subscribed to. */
  readonly subscriptions: Set<string>
  /** Counts the bytes remembered for the caller. Absent where they count with the request. */
  readonly held?: Pick<MemoryShare, 'reserve' | 'release'> | undefined

  /** A notification that belongs to a call. */
  notify(method: string, params: object): void
  /** A notification that belongs to no call, and can be sent after all of them. Absent where there is no channel for it. */
  tell?(method: string, params: object): void
  /** False for a log message beyond the allowed rate, or if the client reads too slowly; that is reported. */
  mayLog(): boolean
  /** A request to the client that belongs to the call. The result is not checked yet. */
  request(method: string, params: object | undefined, options: RequestLimits): Promise<JsonObject>
  /** Makes sure that timeouts are checked at this time; calls past their `dueAt` time out. */
  keepTime(dueAt: number): void
  /** Set while the peer reads more slowly than we write. */
  readonly room: Promise<void> | undefined
  /** Closes the stream while the work goes on. Absent where that is impossible. */
  releaseStream?(retryMs?: number): void
  /** Revisions this service speaks, newest first; for `server/discover`. */
  readonly spoken?: readonly string[]
  /** What request states are sealed with. Absent where a client answers while the call waits. */
  readonly stateSecrets?: StateSecrets
  /** Where a proxy sends the requests of its session. */
  readonly relay?: BackendSession | undefined
}

/** Facts about the caller that can differ between requests of one session. */
export interface RequestAuth {
  readonly auth?: Caller['auth'] | undefined
  readonly http?: Caller['http'] | undefined
  readonly authorize?: Caller['authorize'] | undefined
}

/** Undefined if the caller may do this, else the refusal. */
export type Authorize = (asked: AskedOperation) => RpcError | undefined

/** The operation to authorize, as far as it is known yet. */
export interface AskedOperation {
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
  /** Hears of progress of the request. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/**
 * The caller of requests of a session, on the channel they came by. A class, against our habit, because over HTTP one is made for every request: getters in an object literal give each
 * object a shape of its own, which cost a third of a request. What all requests share is read where it is.
 */
export class LegacyCaller implements Caller {
  readonly auth?: NonNullable<Caller['auth']>
  readonly http?: NonNullable<Caller['http']>
  readonly authorize?: NonNullable<Caller['authorize']>
  readonly sessionId?: string
  private readonly peer: ServerSession
  private readonly channel: CallerChannel

  constructor(peer: ServerSession, channel: CallerChannel, { auth, http, authorize }: RequestAuth) {
    const { sessionId } = peer
    if (auth !== undefined) this.auth = auth
    if (http !== undefined) this.http = http
    if (authorize !== undefined) this.authorize = authorize
    if (sessionId !== undefined) this.sessionId = sessionId
    this.peer = peer
    this.channel = channel
  }

  get codec(): Codec {
    return this.peer.codec
  }
  get client(): Caller['client'] {
    return this.peer.agreement.client
  }
  get declared(): Caller['declared'] {
    return this.peer.agreement.declared
  }
  get relay(): Caller['relay'] {
    return this.peer.agreement.relay
  }
  get quotaKey(): Caller['quotaKey'] {
    return this.peer.quotaKey
  }
  get isLocal(): boolean {
    return this.peer.host.isLocal
  }
  get clock(): Clock {
    return this.peer.host.clock
  }
  get limits(): ServerLimits {
    return this.peer.host.limits
  }
  get onError(): OnError {
    return this.peer.host.onError
  }
  get held(): Caller['held'] {
    return this.peer.held
  }
  get subscriptions(): Set<string> {
    return this.peer.subscriptions
  }
  get keepTime(): Caller['keepTime'] {
    return this.peer.host.keepTime
  }
  get logLevel(): LoggingLevel {
    return this.peer.logLevel
  }
  get room(): Promise<void> | undefined {
    return this.channel.room()
  }

  setLogLevel(level: LoggingLevel): void {
    this.peer.logLevel = level
  }

  mayLog(): boolean {
    const mayLog = this.peer.mayLog() && this.hasSpace
    if (!mayLog) this.peer.reportDropped()
    return mayLog
  }

  /** A message is dropped only when nothing can hold it: a burst is no slow reader. */
  private get hasSpace(): boolean {
    return this.channel.hasSpace?.() ?? this.room === undefined
  }

  private get isReady(): boolean {
    return this.peer.isReady
  }

  /** Before `initialized` only log messages may be sent. */
  notify(method: string, params: object): void {
    if (this.isReady || method === 'notifications/message') this.send(method, params)
  }

  tell(method: string, params: object): void {
    if (!this.isReady) return
    if (!this.channel.tell) return this.send(method, params)
    this.channel.tell(method, this.codec.encodeParams(method, params) as JsonObject) // messages are JSON
  }

  async request(
    method: string,
    params: object | undefined,
    { timeoutMs, signal, onProgress }: RequestLimits,
  ): Promise<JsonObject> {
    if (!this.isReady) throw notReady(method)
    const limits = { idleMs: timeoutMs, totalMs: Infinity, limit: 'input', signal } as const
    const limited = onProgress === undefined ? limits : { ...limits, onProgress }
    return this.channel.request(method, params as JsonObject | undefined, limited) // messages are JSON
  }

  releaseStream(retryMs?: number): void {
    this.channel.release?.(retryMs)
  }

  private send(method: string, params: object): void {
    this.channel.notify(method, this.codec.encodeParams(method, params) as JsonObject) // messages are JSON
  }
}

function notReady(method: string): RpcError {
  const why = `${method}: the client has not sent notifications/initialized yet`
  return new RpcError('invalid_request', why)
}

/** How one caller is reached while it waits: a whole connection, or the stream of one request. */
export interface CallerChannel {
  notify(method: string, params?: JsonObject): void
  /** Sends what belongs to no request of the caller's. Absent: `notify` does it too. */
  tell?(method: string, params: JsonObject): void
  request(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
  /** What to wait for while the peer reads more slowly than we write. */
  room(): Promise<void> | undefined
  /** False when what waits for the peer is all that may wait. Absent: `room` says it too. */
  hasSpace?(): boolean
  /** Lets go of the connection while the work goes on; the peer comes back for the rest. Absent where it cannot. */
  release?(retryMs?: number): void
}

/** Where the messages of a peer come from and its answers go: one connection, or one POST. */
export interface RequestChannel extends CallerChannel, Answers {
  /** Who sends what arrives now, where that may differ from who opened the session. */
  readonly facts: RequestAuth
  /** The caller made of these, once a request has needed it. */
  caller: Caller | undefined
  /** From now on the answers to these requests go out together, behind errors for what is no message. */
  openBatch(ids: readonly RequestId[], refusals: readonly object[]): void
  /** Refuses a request of a caller that has too many at once. Absent: `refuse` does it too. */
  refuseBusy?: Answers['refuse']
}

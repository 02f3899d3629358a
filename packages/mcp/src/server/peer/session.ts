import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { HeldBytes } from '../../rpc/byte-account.ts'
import type { OnError } from '../../rpc/errors/error-report.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import type { ServerLimits } from '../../rpc/server-limits.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import { createTokenBucket, type TokenBucket } from '../../rpc/time/token-bucket.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { LoggingLevel, LogMessage } from '../../schema/logging.ts'
import type { Codec } from '../../wire/codec.ts'
import { omit } from '../../wire/omit.ts'
import type { AskLimits, Caller, CallerFacts } from '../calls/caller.ts'
import type { Greeting } from './initialize.ts'

/** How one caller is reached while it waits: a whole connection, or the stream of one request. */
export interface CallerChannel {
  notify(method: string, params?: JsonObject): void
  /** What belongs to no request of the caller's. Absent: `notify` does it too. */
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

export interface SessionOptions {
  readonly greeting: Greeting
  readonly auth: AuthInfo | undefined
  /** See `Caller.isLocal`. */
  readonly isLocal: boolean
  readonly sessionId?: string | undefined
  /** What an earlier part of the same session made of the greeting. */
  readonly client?: Caller['client'] | undefined
  /** @defaultValue 'info' */
  readonly logLevel?: LoggingLevel | undefined
  /** See `Caller.countedAs`. @defaultValue the session counts by itself */
  readonly countedAs?: string | undefined
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly onError: OnError
  /** The client has said `notifications/initialized`. */
  readonly isReady: () => boolean
  readonly keepTime: (dueAt: number) => void
  /** What is remembered for the caller. */
  readonly held?: HeldBytes | undefined
}

/** What is remembered about a caller between its requests; the same however many channels it uses. */
export interface Session {
  readonly codec: Codec
  readonly client: Caller['client']
  readonly subscriptions: Set<string>
  readonly held?: Caller['held'] | undefined
  /** It hears about some URI. */
  readonly isFollowing: boolean
  setLogLevel(level: LoggingLevel): void
  /** The caller as calls see it that came by this channel; a credential of its own counts before the session's. */
  callerOn(channel: CallerChannel, own?: CallerFacts): Caller
}

/** Log messages beyond this are dropped and reported once. */
const logRate = { burst: 1_000, perSecond: 1_000 }

export function createSession(options: SessionOptions): Session {
  return new OpenSession(options)
}

/** A class, and lazy, because where there are no sessions one is made for every request. */
class OpenSession implements Session {
  readonly codec: Codec
  readonly client: Caller['client']
  readonly declared: Caller['declared']
  readonly countedAs: Caller['countedAs']
  readonly options: SessionOptions
  logLevel: LoggingLevel
  private followed: Set<string> | undefined
  private logBucket: TokenBucket | undefined
  private hasDropped = false

  constructor(options: SessionOptions) {
    const { codec, hello, declared } = options.greeting
    this.codec = codec
    this.client = options.client ?? clientOf(hello, codec)
    this.declared = declared
    this.countedAs = options.countedAs ?? this.client
    this.options = options
    this.logLevel = options.logLevel ?? 'info'
  }

  get subscriptions(): Set<string> {
    this.followed ??= new Set()
    return this.followed
  }

  get held(): Caller['held'] {
    return this.options.held
  }

  get isFollowing(): boolean {
    return this.followed !== undefined && this.followed.size > 0
  }

  setLogLevel(level: LoggingLevel): void {
    this.logLevel = level
  }

  callerOn(channel: CallerChannel, own: CallerFacts = noFacts): Caller {
    return new SessionCaller(this, channel, own)
  }

  mayLog(): boolean {
    this.logBucket ??= createTokenBucket(this.options.clock, logRate)
    return this.logBucket.take()
  }

  reportDropped(): void {
    if (this.hasDropped) return
    this.hasDropped = true
    const why = `log messages were dropped: more than ${logRate.perSecond} a second, or the client reads too slowly`
    this.options.onError(new RpcError('overloaded', why), { severity: 'warning' })
  }
}

const noFacts: CallerFacts = Object.freeze({})

function clientOf({ clientInfo, capabilities }: Greeting['hello'], codec: Codec): Caller['client'] {
  const known = usable(capabilities, codec)
  return clientInfo ? { info: clientInfo, capabilities: known } : { capabilities: known }
}

/**
 * A class, against our habit, because over HTTP one is made for every request: getters in an object literal give each
 * object a shape of its own, which cost a third of a request. What all requests share is read where it is.
 */
class SessionCaller implements Caller {
  readonly auth?: NonNullable<Caller['auth']>
  readonly http?: NonNullable<Caller['http']>
  readonly authorize?: NonNullable<Caller['authorize']>
  readonly sessionId?: string
  private readonly session: OpenSession
  private readonly channel: CallerChannel

  constructor(session: OpenSession, channel: CallerChannel, own: CallerFacts) {
    const { auth = session.options.auth, http, authorize } = own
    const { sessionId } = session.options
    if (auth !== undefined) this.auth = auth
    if (http !== undefined) this.http = http
    if (authorize !== undefined) this.authorize = authorize
    if (sessionId !== undefined) this.sessionId = sessionId
    this.session = session
    this.channel = channel
  }

  get codec(): Codec {
    return this.session.codec
  }
  get client(): Caller['client'] {
    return this.session.client
  }
  get declared(): Caller['declared'] {
    return this.session.declared
  }
  get countedAs(): Caller['countedAs'] {
    return this.session.countedAs
  }
  get isLocal(): boolean {
    return this.session.options.isLocal
  }
  get clock(): Clock {
    return this.session.options.clock
  }
  get limits(): ServerLimits {
    return this.session.options.limits
  }
  get onError(): OnError {
    return this.session.options.onError
  }
  get held(): Caller['held'] {
    return this.session.held
  }
  get subscriptions(): Set<string> {
    return this.session.subscriptions
  }
  get keepTime(): Caller['keepTime'] {
    return this.session.options.keepTime
  }
  get logLevel(): LoggingLevel {
    return this.session.logLevel
  }
  get room(): Promise<void> | undefined {
    return this.channel.room()
  }

  setLogLevel(level: LoggingLevel): void {
    this.session.setLogLevel(level)
  }

  log(message: LogMessage): void {
    if (this.session.mayLog() && this.hasSpace) this.send('notifications/message', message)
    else this.session.reportDropped()
  }

  /** A message is dropped only when nothing can hold it: a burst is no slow reader. */
  private get hasSpace(): boolean {
    return this.channel.hasSpace?.() ?? this.room === undefined
  }

  private get isReady(): boolean {
    return this.session.options.isReady()
  }

  /** Before `initialized` only log messages may be sent. */
  notify(method: string, params: object): void {
    if (this.isReady) this.send(method, params)
  }

  tell(method: string, params: object): void {
    if (!this.isReady) return
    if (!this.channel.tell) return this.send(method, params)
    this.channel.tell(method, this.codec.encodeParams(method, params) as JsonObject) // messages are JSON
  }

  async ask(
    method: string,
    params: object | undefined,
    { timeoutMs, signal }: AskLimits,
  ): Promise<JsonObject> {
    if (!this.isReady) throw notReady(method)
    const limited = { idleMs: timeoutMs, totalMs: Infinity, limit: 'input', signal } as const
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

/** What this revision lacks cannot be asked for, whatever the client says it could do. */
function usable(capabilities: ClientCapabilities, { has }: Codec): ClientCapabilities {
  const missing = has.elicitation === 'none' ? ['elicitation', 'tasks'] : ['tasks']
  return has.tasks === 'core' ? capabilities : omit(capabilities, missing)
}

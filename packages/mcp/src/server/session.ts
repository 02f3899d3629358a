import type { AuthInfo } from '../rpc/auth-info.ts'
import type { Clock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import type { PendingOptions } from '../rpc/pending-requests.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { createTokenBucket, type TokenBucket } from '../rpc/token-bucket.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import type { JsonObject } from '../schema/json.ts'
import type { LoggingLevel, LogMessage } from '../schema/logging.ts'
import type { Codec } from '../wire/codec.ts'
import type { AskLimits, Caller } from './caller.ts'
import type { Greeting } from './greeting.ts'

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
  readonly limits: ResolvedLimits
  readonly onError: OnError
  /** The client has said `notifications/initialized`. */
  readonly isReady: () => boolean
  readonly keepTime: (dueAt: number) => void
}

/** What is remembered about a caller between its requests; the same however many channels it uses. */
export interface Session {
  readonly codec: Codec
  readonly client: Caller['client']
  readonly subscriptions: Set<string>
  setLogLevel(level: LoggingLevel): void
  /** The caller as calls see it that came by this channel; a credential of its own counts before the session's. */
  callerOn(channel: CallerChannel, own?: Pick<Caller, 'auth' | 'http' | 'authorize'>): Caller
}

/** Log messages beyond this are dropped and reported once. */
const logRate = { burst: 1_000, perSecond: 1_000 }

export function createSession(options: SessionOptions): Session {
  const { clock, limits, onError, isReady, isLocal, sessionId, keepTime } = options
  const { codec, hello, declared } = options.greeting
  const client = options.client ?? {
    ...(hello.clientInfo && { info: hello.clientInfo }),
    capabilities: usable(hello.capabilities, codec),
  }
  const subscriptions = new Set<string>()
  let logBucket: TokenBucket | undefined
  let logLevel: LoggingLevel = options.logLevel ?? 'info'
  let hasDropped = false

  function mayLog(): boolean {
    logBucket ??= createTokenBucket(clock, logRate)
    return logBucket.take()
  }

  function reportDropped(): void {
    if (hasDropped) return
    hasDropped = true
    const why = `log messages were dropped: more than ${logRate.perSecond} a second, or the client reads too slowly`
    onError(new RpcError('overloaded', why), { severity: 'warning' })
  }

  const shared: SharedByCallers = {
    codec,
    client,
    declared,
    sessionId,
    countedAs: options.countedAs ?? client,
    isLocal,
    clock,
    limits,
    onError,
    subscriptions,
    keepTime,
    isReady,
    mayLog,
    reportDropped,
    readLogLevel: () => logLevel,
    setLogLevel: (level) => void (logLevel = level),
  }

  return {
    codec,
    client,
    subscriptions,
    setLogLevel: shared.setLogLevel,
    callerOn: (channel, { auth = options.auth, http, authorize } = {}) =>
      new SessionCaller(shared, channel, auth, http, authorize),
  }
}

/** What all callers of one session have in common. */
interface SharedByCallers extends Pick<
  Caller,
  | 'codec'
  | 'client'
  | 'declared'
  | 'countedAs'
  | 'isLocal'
  | 'clock'
  | 'limits'
  | 'onError'
  | 'subscriptions'
  | 'keepTime'
  | 'setLogLevel'
> {
  readonly sessionId: string | undefined
  isReady(): boolean
  mayLog(): boolean
  reportDropped(): void
  readLogLevel(): LoggingLevel
}

/**
 * A class, against our habit, because over HTTP one is made for every request: getters in an object literal give each
 * object a shape of its own, which cost a third of a request.
 */
class SessionCaller implements Caller {
  readonly codec: Caller['codec']
  readonly client: Caller['client']
  readonly declared: Caller['declared']
  readonly auth?: NonNullable<Caller['auth']>
  readonly http?: NonNullable<Caller['http']>
  readonly authorize?: NonNullable<Caller['authorize']>
  readonly sessionId?: string
  readonly countedAs: Caller['countedAs']
  readonly isLocal: boolean
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly onError: OnError
  readonly subscriptions: Set<string>
  readonly keepTime: Caller['keepTime']
  readonly setLogLevel: Caller['setLogLevel']
  private readonly shared: SharedByCallers
  private readonly channel: CallerChannel

  constructor(
    shared: SharedByCallers,
    channel: CallerChannel,
    auth: Caller['auth'] | undefined,
    http: Caller['http'] | undefined,
    authorize: Caller['authorize'] | undefined,
  ) {
    this.codec = shared.codec
    this.client = shared.client
    this.declared = shared.declared
    if (auth !== undefined) this.auth = auth
    if (http !== undefined) this.http = http
    if (authorize !== undefined) this.authorize = authorize
    if (shared.sessionId !== undefined) this.sessionId = shared.sessionId
    this.countedAs = shared.countedAs
    this.isLocal = shared.isLocal
    this.clock = shared.clock
    this.limits = shared.limits
    this.onError = shared.onError
    this.subscriptions = shared.subscriptions
    this.keepTime = shared.keepTime
    this.setLogLevel = shared.setLogLevel
    this.shared = shared
    this.channel = channel
  }

  get logLevel(): LoggingLevel {
    return this.shared.readLogLevel()
  }

  get room(): Promise<void> | undefined {
    return this.channel.room()
  }

  log(message: LogMessage): void {
    if (this.shared.mayLog() && this.hasSpace) this.send('notifications/message', message)
    else this.shared.reportDropped()
  }

  /** A message is dropped only when nothing can hold it: a burst is no slow reader. */
  private get hasSpace(): boolean {
    return this.channel.hasSpace?.() ?? this.room === undefined
  }

  /** Before `initialized` only log messages may be sent. */
  notify(method: string, params: object): void {
    if (this.shared.isReady()) this.send(method, params)
  }

  tell(method: string, params: object): void {
    if (!this.shared.isReady()) return
    if (!this.channel.tell) return this.send(method, params)
    this.channel.tell(method, this.codec.encodeParams(method, params) as JsonObject) // messages are JSON
  }

  async ask(
    method: string,
    params: object | undefined,
    { timeoutMs, signal }: AskLimits,
  ): Promise<JsonObject> {
    if (!this.shared.isReady()) throw notReady(method)
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
  if (has.elicitation !== 'none' || capabilities.elicitation === undefined) return capabilities
  const { elicitation: _, ...rest } = capabilities
  return rest
}

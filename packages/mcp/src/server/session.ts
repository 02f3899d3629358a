import type { AuthInfo } from '../rpc/auth-info.ts'
import type { Clock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import type { PendingOptions } from '../rpc/pending-requests.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { createTokenBucket, type TokenBucket } from '../rpc/token-bucket.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import type { JsonObject } from '../schema/json.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Codec } from '../wire/codec.ts'
import type { Caller } from './caller.ts'
import type { Greeting } from './greeting.ts'

/** How one caller is reached while it waits: a whole connection, or the stream of one request. */
export interface CallerChannel {
  notify(method: string, params?: JsonObject): void
  request(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
  /** Set while the peer reads more slowly than we write. */
  readonly room: Promise<void> | undefined
}

export interface SessionOptions {
  readonly greeting: Greeting
  readonly auth: AuthInfo | undefined
  /** See `Caller.isLocal`. */
  readonly isLocal: boolean
  readonly sessionId?: string | undefined
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
  readonly subscriptions: Set<string>
  /** The caller as calls see it that came by this channel; a credential of its own counts before the session's. */
  callerOn(channel: CallerChannel, own?: Pick<Caller, 'auth' | 'http'>): Caller
}

/** Log messages beyond this are dropped and reported once. */
const logRate = { burst: 1_000, perSecond: 1_000 }

export function createSession(options: SessionOptions): Session {
  const { clock, limits, onError, isReady, isLocal, sessionId, keepTime } = options
  const { codec, hello, declared } = options.greeting
  const client = {
    ...(hello.clientInfo && { info: hello.clientInfo }),
    capabilities: usable(hello.capabilities, codec),
  }
  const subscriptions = new Set<string>()
  let logBucket: TokenBucket | undefined
  let logLevel: LoggingLevel = 'info'
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

  return {
    codec,
    subscriptions,
    callerOn(channel, { auth = options.auth, http } = {}) {
      function notify(method: string, params: object): void {
        channel.notify(method, codec.encodeParams(method, params) as JsonObject) // messages are JSON
      }
      return {
        codec,
        client,
        declared,
        ...(auth && { auth }),
        ...(http && { http }),
        ...(sessionId !== undefined && { sessionId }),
        isLocal,
        clock,
        limits,
        onError,
        subscriptions,
        keepTime,
        get logLevel() {
          return logLevel
        },
        setLogLevel(level) {
          logLevel = level
        },
        log(message) {
          if (mayLog() && channel.room === undefined) notify('notifications/message', message)
          else reportDropped()
        },
        // Before `initialized` only log messages may be sent.
        notify: (method, params) => isReady() && notify(method, params),
        async ask(method, params, { timeoutMs, signal }) {
          if (!isReady()) throw notReady(method)
          const limited = { idleMs: timeoutMs, totalMs: Infinity, limit: 'input', signal } as const
          return channel.request(method, params as JsonObject | undefined, limited) // messages are JSON
        },
        get room() {
          return channel.room
        },
      }
    },
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

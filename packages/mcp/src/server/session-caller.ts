import type { AuthInfo } from '../rpc/auth-info.ts'
import type { Clock } from '../rpc/clock.ts'
import type { Connection } from '../rpc/connection.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { createTokenBucket } from '../rpc/token-bucket.ts'
import type { ClientCapabilities, ServerCapabilities } from '../schema/capabilities.ts'
import type { JsonObject } from '../schema/json.ts'
import type { InitializeRequestParams } from '../schema/lifecycle.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Codec } from '../wire/codec.ts'
import type { Caller } from './caller.ts'

export interface SessionCallerOptions {
  readonly connection: Connection
  readonly codec: Codec
  readonly hello: InitializeRequestParams
  readonly declared: ServerCapabilities
  readonly auth: AuthInfo | undefined
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly onError: OnError
  /** The client has said `notifications/initialized`. */
  readonly isReady: () => boolean
  readonly keepTime: (dueAt: number) => void
}

/** Log messages beyond this are dropped and reported once. */
const logRate = { burst: 1_000, perSecond: 1_000 }

/** The peer of a connection that was opened by a handshake, as calls see it. */
export function createSessionCaller(options: SessionCallerOptions): Caller {
  const { connection, codec, hello, declared, auth, clock, limits, onError, isReady } = options
  const logBucket = createTokenBucket(clock, logRate)
  let logLevel: LoggingLevel = 'info'
  let hasDropped = false

  function notify(method: string, params: object): void {
    connection.notify(method, codec.encodeParams(method, params) as JsonObject) // messages are JSON
  }

  return {
    codec,
    client: { info: hello.clientInfo, capabilities: usable(hello.capabilities, codec) },
    declared,
    ...(auth && { auth }),
    isLocal: true,
    clock,
    limits,
    onError,
    subscriptions: new Set(),
    keepTime: options.keepTime,

    get logLevel() {
      return logLevel
    },
    setLogLevel(level) {
      logLevel = level
    },
    log(message) {
      if (logBucket.take() && connection.room === undefined) {
        notify('notifications/message', message)
      } else if (!hasDropped) {
        hasDropped = true
        const why = `log messages were dropped: more than ${logRate.perSecond} a second, or the client reads too slowly`
        onError(new RpcError('overloaded', why), { severity: 'warning' })
      }
    },
    // Before `initialized` only log messages may be sent.
    notify: (method, params) => isReady() && notify(method, params),
    async ask(method, params, { timeoutMs, signal }) {
      if (!isReady()) {
        throw new RpcError(
          'invalid_request',
          `${method}: the client has not sent notifications/initialized yet`,
        )
      }
      return connection.request(method, params as JsonObject | undefined, {
        // messages are JSON
        idleMs: timeoutMs,
        totalMs: Infinity,
        limit: 'input',
        signal,
      })
    },
    get room() {
      return connection.room
    },
  }
}

/** What this revision lacks cannot be asked for, whatever the client says it could do. */
function usable(capabilities: ClientCapabilities, { has }: Codec): ClientCapabilities {
  if (has.elicitation !== 'none' || capabilities.elicitation === undefined) return capabilities
  const { elicitation: _, ...rest } = capabilities
  return rest
}

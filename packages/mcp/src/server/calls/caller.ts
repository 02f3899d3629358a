import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { HeldBytes } from '../../rpc/byte-account.ts'
import type { DeprecatedFeature } from '../../rpc/deprecation.ts'
import type { OnError } from '../../rpc/errors/error-report.ts'
import type { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { ServerLimits } from '../../rpc/server-limits.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { ClientCapabilities, ServerCapabilities } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { LoggingLevel, LogMessage } from '../../schema/logging.ts'
import type { Implementation } from '../../schema/metadata.ts'
import type { Codec } from '../../wire/codec.ts'
import type { HeaderAnnotation } from '../../wire/param-headers.ts'
import type { StateSecrets } from '../input/request-state.ts'

/**
 * Who is calling, and how to reach them while they wait. A transport makes one; the definition never keeps it. All that
 * a call may do to its peer goes through here, so one caller's messages cannot reach another.
 */
export interface Caller {
  readonly codec: Codec
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities }
  /** What the caller was told this server can do; holds for the whole session. */
  readonly declared: ServerCapabilities
  readonly auth?: AuthInfo
  /** What limits count by: the same for all requests of one caller, and of no other that can be told from it. */
  readonly countedAs: object | string
  /** Without a guard, a caller over stdio or in process is the local user and passes scope checks. */
  readonly isLocal: boolean
  /** Asks who guards the transport. Absent without a guard, and where scopes alone decide. */
  readonly authorize?: Authorize
  readonly sessionId?: string
  readonly http?: {
    readonly url: string
    header(name: string): string | undefined
    /**
     * The header that does not repeat its argument, undefined if all do. Absent where the headers are those of what
     * opened the channel, and say nothing about what came over it.
     */
    mismatch?(annotations: readonly HeaderAnnotation[], args: JsonObject): string | undefined
  }
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly onError: OnError
  /** To be told when something is used that the caller's revision advises against. Absent where it advises against nothing. */
  readonly deprecated?: (feature: DeprecatedFeature) => void

  /** Least severe level sent; undefined sends nothing. */
  readonly logLevel: LoggingLevel | undefined
  setLogLevel(level: LoggingLevel): void
  /** URIs whose changes the caller hears about. */
  readonly subscriptions: Set<string>
  /** What is remembered for the caller counts here. Absent where it counts with the request. */
  readonly held?: Pick<HeldBytes, 'reserve' | 'release'> | undefined

  /** A notification that belongs to a call. */
  notify(method: string, params: object): void
  /** A notification that belongs to no call, and may go out when all of them are over. Absent where there is no way. */
  tell?(method: string, params: object): void
  /** A log message; those beyond the allowed rate are dropped and reported. */
  log(message: LogMessage): void
  /** A request to the client that belongs to the call. The result is not checked yet. */
  ask(method: string, params: object | undefined, options: AskLimits): Promise<JsonObject>
  /** Makes sure calls are looked at by then; those past their `dueAt` time out. */
  keepTime(dueAt: number): void
  /** Set while the peer reads more slowly than we write. */
  readonly room: Promise<void> | undefined
  /** Lets go of the connection while the work goes on. Absent where that cannot be. */
  releaseStream?(retryMs?: number): void
  /** Revisions this service speaks, newest first; told to those who came without a handshake. */
  readonly spoken?: readonly string[]
  /** What request states are sealed with. Absent where a client answers while the call waits. */
  readonly stateSecrets?: StateSecrets
}

/** What one request says about its caller, where others of the same caller may say something else. */
export interface CallerFacts {
  readonly auth?: Caller['auth'] | undefined
  readonly http?: Caller['http'] | undefined
  readonly authorize?: Caller['authorize'] | undefined
}

/** May the caller do this? Undefined if so, else why not. */
export type Authorize = (asked: AskedOperation) => RpcError | undefined

/** What a request asks for, as far as it is known yet. */
export interface AskedOperation {
  readonly method: string
  /** The tool, prompt, task or URI. */
  readonly name?: string
  /** All that it needs. */
  readonly scopes: readonly string[]
}

export interface AskLimits {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

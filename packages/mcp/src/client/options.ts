/**
 * The options of `connect()` and of single calls, with their defaults, and what a client reports: its status and what was
 * negotiated. Types and constants only; each option is read where it takes effect.
 */

import type { Clock } from '../rpc/clock.ts'
import type { OnDeprecated } from '../rpc/deprecation.ts'
import type { McpError } from '../rpc/errors/mcp-error.ts'
import type { OnError } from '../rpc/errors/on-error.ts'
import type { Frame } from '../rpc/frame.ts'
import type { HeartbeatOptions } from '../rpc/heartbeat.ts'
import type { Limits } from '../rpc/limits.ts'
import type { RequestObserver } from '../rpc/observer.ts'
import type { TransportKind } from '../rpc/transport.ts'
import type { CompileSchema } from '../schema/json-schema/compile.ts'
import type { JsonObject } from '../schema/json.ts'
import type { LogMessage } from '../schema/logging.ts'
import type { Implementation, MetaObject } from '../schema/metadata.ts'
import type { Progress } from '../schema/progress.ts'
import type { Revision } from '../schema/revision.ts'
import type { ClientCache } from './cache/memory-cache.ts'
import type { ClientAuth } from './client-auth.ts'
import type { ClientExtension } from './extension.ts'
import type {
  ElicitHandler,
  ElicitMode,
  SampleHandler,
  SamplingOptions,
} from './input/input-handlers.ts'
import type { RootsOption } from './input/roots.ts'

/** Everything about a client but whom it connects to; all of it is optional. */
export interface ConnectOptions {
  /**
   * The name and version of this client. With false they are sent only in `initialize`, which requires them.
   * @defaultValue the name and version of this package
   */
  readonly info?: Implementation | false | undefined
  /**
   * Which revisions to try: all, the legacy ones (with `initialize`), the modern ones, or exactly one.
   * @defaultValue 'auto'
   */
  readonly protocolVersion?: 'auto' | 'legacy' | 'modern' | Revision | undefined
  /**
   * The result of an earlier negotiation with the same server, to skip the probe. A wrong one costs a probe, nothing else.
   * @defaultValue what this process agreed on with the same URL or command within the last hour
   */
  readonly previous?: Negotiated | undefined

  /** Answers the server's questions to the user. Registering it declares the capability. */
  readonly elicit?: ElicitHandler | undefined
  /** Which questions `elicit` can show; others are refused before it sees them. @defaultValue ['form', 'url'] */
  readonly elicitModes?: readonly ElicitMode[] | undefined
  /** Answers with the client's model. @deprecated since 2026-07-28 (SEP-2577) */
  readonly sample?: SampleHandler | undefined
  /** The abilities of `sample` besides text. @deprecated since 2026-07-28 (SEP-2577) */
  readonly sampling?: SamplingOptions | undefined
  /** Paths or `file:` URIs, or a function. @deprecated since 2026-07-28 (SEP-2577) */
  readonly roots?: RootsOption | undefined
  /** Capabilities outside the specification, by name. */
  readonly experimental?: { readonly [id: string]: JsonObject } | undefined

  /** Credentials for HTTP. */
  readonly auth?: ClientAuth | undefined
  /** With every HTTP request; never sent to another origin. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** @defaultValue a keep-alive agent on Node, the global `fetch` elsewhere */
  readonly fetch?: typeof fetch | undefined

  /** Time limits for connecting and for calls. @defaultValue 30 s to connect, 5 min without a message, 1 h in all */
  readonly timeouts?: ClientTimeouts | undefined
  /**
   * Open the connection again when it breaks; a command is then started again.
   * @defaultValue true for URLs, with 0.5–30 s between attempts and at most 20 a minute; false for everything else
   */
  readonly reconnect?: boolean | ReconnectOptions | undefined
  /** Ping at an interval, to find a peer that hangs. @defaultValue false: the channel's end is found anyway */
  readonly heartbeat?: false | HeartbeatOptions | undefined
  /** How results of the server are checked. */
  readonly validation?: ValidationOptions | undefined
  /**
   * Where answers are cached, for as long as the server allows. False: nothing is cached.
   * @defaultValue 32 MiB in memory, this client's own
   */
  readonly cache?: false | ClientCache | undefined
  /** Extensions that this client supports. Each is declared to the server. */
  readonly extensions?: readonly ClientExtension[] | undefined
  /** How much the server may send; see {@link Limits} for each default. */
  readonly limits?: Limits | undefined

  /** A link that `elicit` was given has been dealt with, says the server; not every server does. */
  readonly onElicitationComplete?: ((elicitationId: string) => void) | undefined
  /** Called for each log message of the server. @defaultValue log messages are dropped */
  readonly onLog?: ((message: LogMessage) => void) | undefined
  /** Called when the connection is lost, is back, or was closed. */
  readonly onStatus?: ((status: ClientStatus, previous: ClientStatus) => void) | undefined
  /** Lines a command writes to its standard error. */
  readonly onStderr?: ((line: string) => void) | undefined
  /** Sees every message in both directions, for traces. Secrets in arguments are in it too. */
  readonly onMessage?: ((frame: Frame) => void) | undefined
  /** Watches every call, for telemetry. @defaultValue nothing is watched */
  readonly observer?: RequestObserver | undefined
  /** Called for errors that belong to no call. @defaultValue prints warnings to standard error */
  readonly onError?: OnError | undefined
  /**
   * Told once of each deprecated feature that a server of 2026-07-28 makes use of here; `() => undefined` silences it.
   * @defaultValue a `DeprecationWarning` of Node, once in the process
   */
  readonly onDeprecated?: OnDeprecated | undefined
  /** The clock; a virtual one in tests. @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined
  /** Abandons connecting. */
  readonly signal?: AbortSignal | undefined
}

/** How a client checks results. */
export interface ValidationOptions {
  /** The reaction to `structuredContent` that breaks its schema. @defaultValue 'report' */
  readonly output?: 'report' | 'reject' | 'off' | undefined
  /** Rejects results without a `resultType`, where the revision requires one. @defaultValue false */
  readonly strict?: boolean | undefined
  /** Turns JSON Schema into checks. @defaultValue the built-in engine, which generates no code */
  readonly compileSchema?: CompileSchema | undefined
}

/** How long things may take, in milliseconds. */
export interface ClientTimeouts {
  /** Reaching and negotiating, per attempt. @defaultValue 30_000 */
  readonly connectMs?: number | undefined
  /**
   * How long a server whose era is unknown may take to say it; then it is taken for an old one. Over HTTP it may take
   * as long as connecting. @defaultValue 5_000, as part of `connectMs`
   */
  readonly probeMs?: number | undefined
  /** Silence on one call; any frame of the call starts it anew, asking a person stops it. @defaultValue 300_000 */
  readonly idleMs?: number | undefined
  /** The whole call, asking not counted. @defaultValue 3_600_000 */
  readonly totalMs?: number | undefined
  /** A person's answer. @defaultValue 600_000 */
  readonly inputMs?: number | undefined
  /** From closing the stdin of a command to SIGTERM, and as long again to SIGKILL. @defaultValue 2_000 */
  readonly stopMs?: number | undefined
}

export const defaultTimeouts = {
  connectMs: 30_000,
  probeMs: 5_000,
  idleMs: 300_000,
  totalMs: 3_600_000,
  inputMs: 600_000,
} as const

/** How often, and after which delays, a lost connection is opened again. */
export interface ReconnectOptions {
  /** In a row, before giving up. @defaultValue Infinity */
  readonly maxAttempts?: number | undefined
  /** @defaultValue 500 */
  readonly minDelayMs?: number | undefined
  /** @defaultValue 30_000 */
  readonly maxDelayMs?: number | undefined
}

/** Options of every call of a client. */
export interface CallOptions {
  /** Cancels the call: it rejects with the reason of the signal, and the server is notified. */
  readonly signal?: AbortSignal | undefined
  /** Called for each progress notification of this call. Passing it asks the server for progress. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Time limits for this call. @defaultValue those of the client */
  readonly timeouts?: Pick<ClientTimeouts, 'idleMs' | 'totalMs'> | undefined
  /** Sent as `_meta` with the request. */
  readonly _meta?: MetaObject | undefined
  /** Ask the server although the answer is at hand, and keep the new one. @defaultValue false */
  readonly fresh?: boolean | undefined
  /**
   * When the server answers that links have to be opened first: offer each to `elicit` and, when the user accepts them,
   * call once more as soon as the server says that they have been dealt with, or `until` resolves. It waits for
   * `inputMs` at most, and ends with `signal`. @defaultValue false: throws `url_elicitation_required`
   */
  readonly retryAfterUrl?: boolean | { readonly until: Promise<unknown> } | undefined
}
/** Options of `callTool`. */
export interface ToolCallOptions extends CallOptions {
  /** May be sent again after a lost connection. @defaultValue the tool's `readOnlyHint` or `idempotentHint` */
  readonly idempotent?: boolean | undefined
}

/** Where the connection stands; a switch over `state` is exhaustive. */
export type ClientStatus =
  | {
      /** The first connection is being opened. */
      readonly state: 'connecting'
      /** Which attempt this is, from 1 on. */
      readonly attempt: number
    }
  | {
      /** Everything works. */
      readonly state: 'ready'
    }
  /** Calls work; what belongs to no call does not arrive. */
  | {
      readonly state: 'degraded'
      /** The messages that no longer arrive: notifications outside of calls. */
      readonly missing: 'notifications'
      /** Why. */
      readonly cause: McpError
    }
  | {
      /** The connection was lost, and is opened again. */
      readonly state: 'reconnecting'
      /** Which attempt is next, from 1 on. */
      readonly attempt: number
      /** By the client's clock. */
      readonly nextAt: number
      /** Why it was lost. */
      readonly cause: McpError
    }
  | {
      /** The client is closed and stays so. */
      readonly state: 'closed'
      /** The cause, unless `close()` was called. */
      readonly cause?: McpError
    }

/** The result of the negotiation; plain JSON, to store per server and pass to the next `connect()` as `previous`. */
export interface Negotiated {
  /** The protocol revision, such as `2025-11-25`. */
  readonly revision: Revision
  /** How the server is reached. */
  readonly transport: TransportKind
  /** Milliseconds since the epoch. */
  readonly at: number
}

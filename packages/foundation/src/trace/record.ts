import type { JsonValue } from '@parley/mcp'

/** The version of the format that `TraceRecord` describes. */
export const traceVersion = 1

/** One thing that happened on a connection. A trace file is a header line and one record a line. */
export interface TraceRecord {
  /** Counts up from 1 within a trace. */
  readonly seq: number
  /** Milliseconds since the trace began, by a clock that never goes back. */
  readonly time: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The name of the server as the user gave it. */
  readonly connection: string
  /** The kind of event. */
  readonly kind: TraceKind
  /** `in` was received, `out` was sent; absent for what is neither. */
  readonly direction?: 'in' | 'out' | undefined
  /** The revision agreed on, once there is one. */
  readonly revision?: string | undefined
  /** A JSON-RPC message, secrets masked; for kind `message`. */
  readonly message?: JsonValue | undefined
  /** A line of standard error, what could not be parsed, or what a person should read. */
  readonly text?: string | undefined
  /** How long the message is on the wire. */
  readonly bytes?: number | undefined
  /** Which HTTP request or stream carried it. */
  readonly stream?: string | undefined
  /** The `seq` of the request this one answers, reports on or was caused by. */
  readonly parent?: number | undefined
  /** More of what is known, by kind: status and headers of HTTP, exit code of a process, step of a sign-in. */
  readonly details?: { readonly [name: string]: JsonValue } | undefined
}

/** The kinds of records; a switch over it is exhaustive. */
export type TraceKind =
  | 'message'
  | 'http'
  | 'stderr'
  | 'process'
  | 'status'
  | 'auth'
  | 'decision'
  | 'unparsable'

/**
 * What telemetry learns about requests and sessions: the interface that `@parley/telemetry` implements, and the facts it gets.
 *
 * The code that handles requests calls it only if a `RequestObserver` is set, so that nothing is measured otherwise. Metrics are
 * collected on the way (`MutableRequestMetrics`): when the request arrived, how many bytes it had. Sending, naming and sampling spans are
 * not done here.
 */
import type { JsonObject } from '../schema/json.ts'
import type { Clock } from './clock.ts'
import { utf8Length } from './json/json-text.ts'
import type { RequestId, Request } from './message.ts'
import type { TransportKind } from './transport.ts'

/**
 * Watches requests from their beginning to their end, on a server, a client or a proxy: what telemetry is built on. See
 * `@parley/telemetry` for one that speaks OpenTelemetry. Without one nothing is made, and nothing is called. It must not
 * throw.
 */
export interface RequestObserver {
  /** Undefined for a request that it leaves alone. */
  begin(request: ObservedRequest): Observation | undefined
  /** A service over HTTP has begun; its figures may be read until what is returned is disposed. Absent: nobody wants them. */
  watchService?(figures: () => ServiceMetrics): Disposable
  /**
   * A session has begun with `initialize`: with a client of a server, or of a proxy with its server. Absent: nobody wants
   * to know.
   */
  watchSession?(session: ObservedSession): SessionEnd | undefined
}

/** A session that has just begun. */
export interface ObservedSession {
  /** The side that is observed. */
  readonly side: 'server' | 'client'
  /** The revision that was agreed on. */
  readonly revision: string
  /** The kind of transport; undefined if the transport does not say. */
  readonly transport?: TransportKind | undefined
  /** The peer of a proxy, if known. */
  readonly peer?: string | undefined
}

/**
 * Called once, when the session has ended. The reason is an error that has broken it, or an `McpError` or `RpcError` with
 * the code `closed`, `draining` or `overloaded` if our side has closed it; undefined if the other side has.
 */
export type SessionEnd = (reason?: unknown) => void

/** The current state of a service. */
export interface ServiceMetrics {
  /** Sessions that this process has. */
  readonly sessions: number
  /** Event streams that somebody reads. */
  readonly streams: number
  /** Bytes of memory that callers use in this process. */
  readonly usedBytes: number
}

/** A request that is about to be worked on, or to be sent. */
export interface ObservedRequest {
  /** `server` where it arrived, `client` where it is sent. */
  readonly side: 'server' | 'client'
  /** The method, such as `tools/call`. */
  readonly method: string
  /** Its params, as they are on the wire. */
  readonly params: JsonObject
  /** The id on the other side, for a request that was received. */
  readonly id?: RequestId | undefined
  /** Undefined for the first request of a client, which has not agreed on one yet. */
  readonly revision: string | undefined
  /** The id of the session; undefined without one. */
  readonly sessionId?: string | undefined
  /** Where it arrived by HTTP: a header by its name. */
  readonly header?: ((name: string) => string | undefined) | undefined
  /** The server's name and version, as far as they are known. */
  readonly server?: { readonly name: string; readonly version: string } | undefined
  /** The receiver, if known. */
  readonly peer?: string | undefined
}

/** Observes one request. */
export interface Observation {
  /** Joins the `_meta` of what is sent: the trace context. A proxy sends it on. */
  readonly meta?: { readonly [name: string]: string } | undefined
  /** Does the work; whatever belongs to the request happens inside. */
  run<T>(work: () => T): T
  /** Once. */
  end(outcome: ObservedOutcome, metrics?: RequestMetrics): void
}

/** Data about a request, collected until it ended. Unknown values are absent. */
export interface RequestMetrics {
  /** The request as JSON in UTF-8. Not known where it never was text: in one process. */
  readonly requestBytes?: number | undefined
  /** Its result, in the same way. */
  readonly responseBytes?: number | undefined
  /** How long it waited: over HTTP from its arrival until its work began, or from the call until it was sent. */
  readonly waitedMs?: number | undefined
  /** How often it was sent again, because a connection or a session was lost or credentials were refused. */
  readonly resends?: number | undefined
  /** An error of the server that its client is told by a number only. */
  readonly fault?:
    | {
        /** The value that was thrown. */
        readonly error: unknown
        /** The id that the client and `onError` receive. */
        readonly correlationId: string
      }
    | undefined
}

/** How a request ended. */
export type ObservedOutcome =
  /** `result` is absent where it was sent as text that was ready before. */
  | {
      readonly kind: 'result'
      /** The result, if it was looked at. */
      readonly result?: object | undefined
    }
  /** An `RpcError` or `McpError`, or an error as it is on the wire. */
  | {
      readonly kind: 'error'
      /** The error. */
      readonly error: unknown
    }
  /** Nobody waits for it any more. */
  | {
      readonly kind: 'cancelled'
      /** The reason that was given. */
      readonly reason: unknown
    }

/** How a request came that is watched. */
export interface ReceivedRequest {
  /** Size as text in UTF-8; undefined if it did not arrive as text. */
  readonly bytes: number | undefined
  /** When it was there, its body perhaps still missing; undefined where nobody noted that. */
  readonly at: number | undefined
}

/** Data about a request, collected so far. */
export type MutableRequestMetrics = {
  -readonly [Name in keyof RequestMetrics]: RequestMetrics[Name]
}

/** A request with what is known of how it came. */
export function withArrival(
  { kind, id, method, params }: Request,
  text: string | undefined,
  at?: number,
): Request {
  const bytes = text === undefined ? undefined : utf8Length(text)
  return { kind, id, method, params, received: { bytes, at } }
}

/** Returns the data known when the work on a request begins. All have one shape, which is filled in, not copied. */
export function metricsOf({ bytes, at }: ReceivedRequest, clock: Clock): MutableRequestMetrics {
  return {
    requestBytes: bytes,
    responseBytes: undefined,
    waitedMs: at === undefined ? undefined : clock.now() - at,
    resends: undefined,
    fault: undefined,
  }
}

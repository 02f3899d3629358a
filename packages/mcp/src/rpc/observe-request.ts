import { type JsonObject, isJsonObject } from '../schema/json.ts'
import type { Clock } from './clock.ts'
import { utf8Length } from './json/json-text.ts'
import type { Observation, ObservedRequest, RequestObserver, RequestMetrics } from './observer.ts'

/** How a request is sent that may be watched. */
export interface WatchedSending<Result extends object> {
  readonly observer: RequestObserver
  readonly clock: Clock
  /** How often it was sent before, and watched by itself. @defaultValue 0 */
  readonly resends?: number | undefined
  /** Nobody waits for it any more. */
  isAbandoned(): boolean
  /** With what joins its `_meta`, and what it tells of its way; both are absent for one that is left alone. */
  send(meta: Observation['meta'], traffic: Traffic | undefined): Promise<Result>
}

/** Sends a request, and lets the observer watch it from here to its answer. */
export async function observeRequest<Result extends object>(
  request: ObservedRequest,
  { observer, clock, resends, isAbandoned, send }: WatchedSending<Result>,
): Promise<Result> {
  const observation = observer.begin(request)
  if (observation === undefined) return send(undefined, undefined)
  const traffic = new Traffic(clock, resends)
  try {
    const result = await observation.run(() => send(observation.meta, traffic))
    observation.end({ kind: 'result', result }, traffic.metrics())
    return result
  } catch (error) {
    const outcome = isAbandoned()
      ? ({ kind: 'cancelled', reason: error } as const)
      : ({ kind: 'error', error } as const)
    observation.end(outcome, traffic.metrics())
    throw error
  }
}

/** Params with more in their `_meta`. */
export function withMeta(params: JsonObject | undefined, meta: object): JsonObject {
  const own = params?.['_meta'] as JsonObject | undefined // an object wherever it is set
  return { ...params, _meta: { ...own, ...meta } }
}

/** Observes one request on its way out and back. */
export class Traffic {
  /** The params as they are sent. */
  params: JsonObject | undefined
  private readonly clock: Clock
  private readonly begunAt: number
  private firstSentAt: number | undefined
  private resends: number
  private isUnanswered = false
  private requestBytes: number | undefined
  private responseBytes: number | undefined

  /** The request is about to be sent, for the first time or again. */
  constructor(clock: Clock, resends = 0) {
    this.clock = clock
    this.resends = resends
    this.begunAt = clock.now()
  }

  /** From now on bytes may have left. Called each time; without text where an object is passed on. */
  sent(text: string | undefined): void {
    if (this.isUnanswered) this.resends += 1
    this.isUnanswered = true
    this.firstSentAt ??= this.clock.now()
    if (text !== undefined) this.requestBytes = utf8Length(text)
  }

  /** An answer has come. What is sent after it, such as input that a server asked for, is not the same again. */
  received(text: unknown): void {
    this.isUnanswered = false
    if (typeof text === 'string') this.responseBytes = utf8Length(text)
  }

  /** The same HTTP request, which tells when it leaves and, where it may, repeats the trace context for what is on its way. */
  overHttp<Call extends HttpCall>(call: Call, { repeatsTrace }: { repeatsTrace?: boolean }): Call {
    const onSent = (): void => {
      this.sent(call.body)
      call.onSent?.()
    }
    const headers = repeatsTrace
      ? { ...call.headers, ...traceOf(this.params?.['_meta']) }
      : call.headers
    return { ...call, headers, onSent }
  }

  /** Returns the metrics collected so far. */
  metrics(): RequestMetrics {
    const { firstSentAt, begunAt, resends, requestBytes, responseBytes } = this
    return {
      requestBytes,
      responseBytes,
      waitedMs: firstSentAt === undefined ? undefined : firstSentAt - begunAt,
      resends,
    }
  }
}

interface HttpCall {
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | undefined
  readonly onSent?: (() => void) | undefined
}

/** For what knows nothing of MCP, such as a load balancer. */
function traceOf(meta: unknown): HttpCall['headers'] {
  const headers: { [name: string]: string } = {}
  for (const name of ['traceparent', 'tracestate', 'baggage']) {
    const value = isJsonObject(meta) ? meta[name] : undefined
    if (typeof value === 'string' && isHeaderText.test(value)) headers[name] = value
  }
  return headers
}

/** Not longer than servers take it. */
const isHeaderText = /^[\x20-\x7e]{1,8192}$/

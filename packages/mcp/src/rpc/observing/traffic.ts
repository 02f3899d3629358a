import { isJsonObject, type JsonObject } from '../../schema/json/json.ts'
import { utf8Length } from '../json/utf8-length.ts'
import type { ObservedFacts } from '../observer.ts'
import type { Clock } from '../time/clock.ts'

/** What becomes of one request that is watched, on its way out and back. */
export class Traffic {
  /** As they are sent. */
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

  /** What has been found out until now. */
  facts(): ObservedFacts {
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

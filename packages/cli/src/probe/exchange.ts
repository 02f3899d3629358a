import type { JsonObject } from '@parley/mcp'

/** What came back for one thing that was sent, untouched. */
export interface Exchange {
  /** Every message that came, in order. */
  readonly messages: readonly JsonObject[]
  /** The one that answers the request, or refuses what is no request by an error without an id. */
  readonly answer: JsonObject | undefined
  /** What came and was no message. */
  readonly noise: readonly string[]
  /** `silence`: time was up. `closed`: nothing more can come. */
  readonly ended: 'answered' | 'silence' | 'closed'
  readonly http?: HttpAnswer | undefined
}

/** The HTTP answer that carried it. */
export interface HttpAnswer {
  readonly status: number
  readonly body: string
  header(name: string): string | undefined
}

/** A way to a server that changes nothing: any text goes out as it is, and what comes back is not interpreted. */
export interface RawLink extends AsyncDisposable {
  readonly kind: 'stdio' | 'http'
  exchange(body: JsonObject | string, options?: ExchangeOptions): Promise<Exchange>
  /** The status that comes back under another name of the host. Only over HTTP, and on this machine. */
  exchangeAs?(host: string, body: JsonObject): Promise<number>
  /** Nothing more will be sent; whether the server ends by itself then. Only on stdio. */
  endInput?(waitMs: number): Promise<boolean>
  /** What came on standard output and was no message, since the start. Only on stdio. */
  noise?(): readonly string[]
  /** The end of what it wrote to standard error. Only on stdio. */
  lastWords?(): string
}

export interface ExchangeOptions {
  /** With this request, over HTTP; undefined takes one away. */
  readonly headers?: { readonly [name: string]: string | undefined } | undefined
  /** How long to wait for an answer; up to three seconds it need not come. @defaultValue 10_000 */
  readonly waitMs?: number | undefined
  /** Waits no longer than this. */
  readonly until?: Promise<unknown> | undefined
  /** Over HTTP: status and headers are enough, the rest is not waited for. */
  readonly onlyHead?: boolean | undefined
  /** Over HTTP. @defaultValue 'POST' */
  readonly method?: string | undefined
}

/** Whether a message answers what was sent. An error without an id may be about anything that is not answered yet. */
export function answers(message: JsonObject, sent: JsonObject | string, isAlone = true): boolean {
  if (!('result' in message) && !('error' in message)) return false
  const id = typeof sent === 'string' ? undefined : (sent['id'] ?? undefined)
  const replyId = message['id'] ?? undefined
  if (replyId === undefined) return id === undefined || (isAlone && 'error' in message)
  return id !== undefined && isSameId(replyId, id)
}

/** Also where a server made a text of a number: that it did is for a check to say. */
function isSameId(received: unknown, sent: unknown): boolean {
  return received === sent || received === JSON.stringify(sent)
}

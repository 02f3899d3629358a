import type { Traffic } from '../observing/traffic.ts'
import type { RawMessage } from '../transport.ts'

/**
 * A message on its way out, as text and as a value. The one that is missing is made when it is first read, so that a
 * message is written as JSON at most once. A class, because every message sent makes one.
 */
export class OutgoingMessage {
  /** As it was given. Text need not be JSON: the receiver decides what to do with it. */
  readonly raw: RawMessage
  /** Set for a request that is watched. A transport that knows when it leaves takes it, and tells it. */
  traffic: Traffic | undefined
  /** Its JSON if there is some already: a message that is passed on as an object has none. */
  written: string | undefined
  private parsed: unknown

  /** Takes an object or its JSON text. */
  constructor(raw: RawMessage, traffic?: Traffic) {
    this.raw = raw
    this.traffic = traffic
    this.written = typeof raw === 'string' ? raw : undefined
    this.parsed = undefined
  }

  /** Its JSON. Throws for an object that has none. */
  get text(): string {
    return (this.written ??= JSON.stringify(this.raw))
  }

  /** A JSON-RPC object, or an array of them; undefined for text that is not JSON. */
  get value(): unknown {
    if (typeof this.raw !== 'string') return this.raw
    this.parsed ??= parse(this.raw)
    return this.parsed
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // sent as it is: the receiver answers it
  }
}

import type { RequestId } from '../message.ts'
import type { RawMessage } from '../transport.ts'

/** JSON that is sent again and again. */
export class PreparedJson {
  readonly text: string
  private encoded: Uint8Array | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Encoded once, for transports that send bytes. */
  get bytes(): Uint8Array {
    this.encoded ??= new TextEncoder().encode(this.text)
    return this.encoded
  }
}

/** A response with such a result, which can be sent without copying it: what goes before, the bytes, and a brace. */
export class PreparedResponse {
  readonly before: string
  readonly json: PreparedJson
  readonly after = '}'

  constructor(id: RequestId, json: PreparedJson) {
    this.before = resultText(id, '').slice(0, -1)
    this.json = json
  }

  get text(): string {
    return `${this.before}${this.json.text}${this.after}`
  }
}

/** A message as it is written. Throws for what has no JSON. */
export function textOf(message: RawMessage | PreparedResponse): string {
  if (typeof message === 'string') return message
  return message instanceof PreparedResponse ? message.text : JSON.stringify(message)
}

/** The response to a request whose result is JSON text already. */
export function resultText(id: RequestId, json: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`
}

interface BufferLike {
  byteLength(text: string): number
}

/** The bytes of a text in UTF-8, by the fastest means the runtime has. */
export function utf8Length(text: string): number {
  const buffer = (globalThis as { Buffer?: BufferLike }).Buffer // absent outside Node, Bun and Deno
  return buffer ? buffer.byteLength(text) : new TextEncoder().encode(text).length
}

import { JSONRPCMessageSchema } from '../schemas/base.ts'
import { supportedSchema } from '../schemas/lazy.ts'
import type { JSONRPCMessage } from '../types.ts'

/** A longer message ends the connection. */
export const STDIO_DEFAULT_MAX_BUFFER_SIZE: number = 10 * 1024 * 1024

const accepts = supportedSchema(JSONRPCMessageSchema)?.accepts ?? (() => false)
const newline = 10

/** Cuts what arrives into lines, and lines into messages. */
export class ReadBuffer {
  /** The start of a line whose end is missing. Joined once, when it has come. */
  private _chunks: Buffer[] = []
  private _size = 0
  private _hasEnd = false
  /** Whole lines: decoded together, which takes a third of the time, and read one by one. */
  private _lines = ''
  private _linesSize = 0
  private _next = 0
  private readonly _maxBufferSize: number

  constructor(options?: { maxBufferSize?: number }) {
    this._maxBufferSize = options?.maxBufferSize ?? STDIO_DEFAULT_MAX_BUFFER_SIZE
  }

  append(chunk: Buffer): void {
    const size = this._linesSize + this._size + chunk.length
    if (size > this._maxBufferSize) {
      this.clear()
      throw new Error(`ReadBuffer exceeded maximum size of ${this._maxBufferSize} bytes`)
    }
    this._chunks.push(chunk)
    this._hasEnd ||= chunk.includes(newline)
    this._size += chunk.length
  }

  /** Returns the next message; throws at a line that is none, and is then at the line after it. */
  readMessage(): JSONRPCMessage | null {
    if (this._next === this._lines.length && !this._decodeLines()) return null
    const start = this._next
    const end = this._lines.indexOf('\n', start)
    this._next = end + 1
    const hasCarriageReturn = end > start && this._lines.charCodeAt(end - 1) === 13
    return deserializeMessage(this._lines.slice(start, hasCarriageReturn ? end - 1 : end))
  }

  clear(): void {
    this._chunks = []
    this._size = 0
    this._hasEnd = false
    this._lines = ''
    this._linesSize = 0
    this._next = 0
  }

  /** Returns whether there are any. */
  private _decodeLines(): boolean {
    this._lines = ''
    this._linesSize = 0
    this._next = 0
    if (!this._hasEnd) return false
    this._hasEnd = false
    const chunks = this._chunks
    const [only] = chunks
    const bytes = only && chunks.length === 1 ? only : Buffer.concat(chunks)
    const end = bytes.lastIndexOf(newline) + 1
    this._chunks = end === bytes.length ? [] : [bytes.subarray(end)]
    this._size = bytes.length - end
    this._lines = bytes.toString('utf8', 0, end)
    this._linesSize = end
    return true
  }
}

/** Parses and checks a line. */
export function deserializeMessage(line: string): JSONRPCMessage {
  const value: unknown = JSON.parse(line)
  return accepts(value) ? (value as JSONRPCMessage) : JSONRPCMessageSchema.parse(value)
}

/** Returns a message as a line. */
export function serializeMessage(message: JSONRPCMessage): string {
  return `${JSON.stringify(message)}\n`
}

import { JSONRPCMessageSchema } from '../schemas/base.ts'
import { knownSchema } from '../schemas/lazy.ts'
import type { JSONRPCMessage } from '../types.ts'

/** A longer message ends the connection. */
export const STDIO_DEFAULT_MAX_BUFFER_SIZE: number = 10 * 1024 * 1024

const accepts = knownSchema(JSONRPCMessageSchema)?.accepts ?? (() => false)
const newline = 10

/** Cuts what arrives into lines, and lines into messages. */
export class ReadBuffer {
  /** Chunks are joined when a line ends, once. */
  private _chunks: Buffer[] = []
  private _size = 0
  private readonly _maxBufferSize: number

  constructor(options?: { maxBufferSize?: number }) {
    this._maxBufferSize = options?.maxBufferSize ?? STDIO_DEFAULT_MAX_BUFFER_SIZE
  }

  append(chunk: Buffer): void {
    const size = this._size + chunk.length
    if (size > this._maxBufferSize) {
      this.clear()
      throw new Error(`ReadBuffer exceeded maximum size of ${this._maxBufferSize} bytes`)
    }
    this._chunks.push(chunk)
    this._size = size
  }

  /** Returns the next message; throws at a line that is none, and is then at the line after it. */
  readMessage(): JSONRPCMessage | null {
    const line = this._readLine()
    return line === undefined ? null : deserializeMessage(line)
  }

  clear(): void {
    this._chunks = []
    this._size = 0
  }

  private _readLine(): string | undefined {
    const last = this._chunks.at(-1)
    if (last === undefined) return undefined
    // Of several chunks only the last can have the end of a line.
    let end = last.indexOf(newline)
    if (end === -1) return undefined
    const buffer = this._chunks.length === 1 ? last : Buffer.concat(this._chunks)
    end += buffer.length - last.length
    this._size -= end + 1
    this._chunks = this._size === 0 ? [] : [buffer.subarray(end + 1)]
    const hasCarriageReturn = end > 0 && buffer[end - 1] === 13
    return buffer.toString('utf8', 0, hasCarriageReturn ? end - 1 : end)
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

import process from 'node:process'
import type { Writable } from 'node:stream'

import { isOverUnreadLimit } from '../options.ts'
import type { JSONRPCMessage } from '../types.ts'

/** Taken when this is loaded, so that a program's fake timers do not stop the output. */
const { nextTick } = process

/**
 * Writes messages as lines, those of one turn at once.
 *
 * Progress is written at once and alone: clients of the official SDK lose it if the result comes in the same chunk.
 */
export class LineWriter {
  private pending = ''
  private written: Promise<void> | undefined
  private resolve: (() => void) | undefined
  private readonly output: () => Writable | null | undefined
  private readonly onUnread: (error: Error) => void
  private writeText: Writable['write'] | undefined

  /** `onUnread` is called when the other side has left more unread than the program allows. */
  constructor(output: () => Writable | null | undefined, onUnread: (error: Error) => void) {
    this.output = output
    this.onUnread = onUnread
  }

  /** Writes by this function from now on: the one of the stream is for others. */
  useWrite(write: Writable['write']): void {
    this.writeText = write
  }

  /** Resolves when the stream has taken the message, and rejects if there is no stream any more. */
  write(message: JSONRPCMessage): Promise<void> {
    let line: string
    try {
      line = `${JSON.stringify(message)}\n`
    } catch (error) {
      return Promise.reject(error)
    }
    if ('method' in message && message.method === 'notifications/progress') {
      this.flush()
      return this.put(line)
    }
    this.pending += line
    if (this.written === undefined) {
      this.written = new Promise((resolve) => (this.resolve = resolve))
      nextTick(() => this.flush())
    }
    return this.written
  }

  /** Writes what waits for the end of this turn. */
  flush(): void {
    const { pending, resolve } = this
    if (pending === '') return
    this.pending = ''
    this.written = undefined
    void this.put(pending).then(resolve)
  }

  private put(text: string): Promise<void> {
    const output = this.output()
    if (!output) return Promise.resolve()
    if (this.writeText?.(text) ?? output.write(text)) return Promise.resolve()
    if (isOverUnreadLimit(output.writableLength)) {
      this.onUnread(new Error(`${output.writableLength} bytes wait for a peer that does not read`))
    }
    return this.drained(output)
  }

  private waiting: Promise<void> | undefined

  /** One listener for all that wait, however many there are. */
  private drained(output: Writable): Promise<void> {
    this.waiting ??= new Promise((resolve) => {
      output.once('drain', () => {
        this.waiting = undefined
        resolve()
      })
    })
    return this.waiting
  }
}

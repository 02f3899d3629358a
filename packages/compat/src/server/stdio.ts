import process from 'node:process'
import type { Readable, Writable } from 'node:stream'

import { guardsStdout } from '../options.ts'
import { LineWriter } from '../shared/line-writer.ts'
import { ReadBuffer } from '../shared/stdio.ts'
import type { Transport } from '../shared/transport.ts'
import type { JSONRPCMessage } from '../types.ts'

/** Talks to the client that started this process, over standard input and output. */
export class StdioServerTransport implements Transport {
  private _stdin: Readable
  private _stdout: Writable
  private _readBuffer: ReadBuffer
  private _started = false
  private readonly _writer: LineWriter
  private readonly _flushAtExit = (): void => this._writer.flush()
  private _unguard?: () => void

  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  constructor(
    _stdin: Readable = process.stdin,
    _stdout: Writable = process.stdout,
    options?: {
      /**
       * A longer message is an error and ends the connection.
       * @defaultValue 10 MB
       */
      maxBufferSize?: number
    },
  ) {
    this._stdin = _stdin
    this._stdout = _stdout
    this._readBuffer = new ReadBuffer(options)
    this._writer = new LineWriter(
      () => this._stdout,
      (error) => this._onunread(error),
    )
  }

  _ondata = (chunk: Buffer): void => {
    try {
      this._readBuffer.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    this.processReadBuffer()
  }

  _onerror = (error: Error): void => {
    this.onerror?.(error)
  }

  private _onunread(error: Error): void {
    this.onerror?.(error)
    void this.close()
  }

  async start(): Promise<void> {
    if (this._started) {
      throw new Error(
        'StdioServerTransport already started! If using Server class, note that connect() calls start() automatically.',
      )
    }
    this._started = true
    this._stdin.on('data', this._ondata)
    this._stdin.on('error', this._onerror)
    // A program that ends in the same turn as its last message has said it.
    if (this._stdout !== process.stdout) return
    process.once('exit', this._flushAtExit)
    if (guardsStdout()) this._unguard = this._guard()
  }

  /** Standard output is for messages alone: what others write goes to standard error. Returns a function that undoes it. */
  private _guard(): () => void {
    const { stdout, stderr } = process
    const { write } = stdout
    const guarded = stderr.write.bind(stderr)
    stdout.write = guarded
    this._writer.useWrite(write.bind(stdout))
    return () => {
      // Another replacement, made since, calls this one still.
      if (stdout.write === guarded) stdout.write = write
    }
  }

  private processReadBuffer(): void {
    while (true) {
      try {
        const message = this._readBuffer.readMessage()
        if (message === null) break
        this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(error as Error)
      }
    }
  }

  async close(): Promise<void> {
    this._writer.flush()
    process.off('exit', this._flushAtExit)
    this._unguard?.()
    this._stdin.off('data', this._ondata)
    this._stdin.off('error', this._onerror)
    // Others may read on.
    if (this._stdin.listenerCount('data') === 0) this._stdin.pause()
    this._readBuffer.clear()
    this.onclose?.()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this._writer.write(message)
  }
}

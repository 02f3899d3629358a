import type { Readable } from 'node:stream'

import { createLineSplitter, type Line } from './line-splitter.ts'

/** Who gets the lines of a stream. */
export interface LineListener {
  /** A returned promise pauses the stream until it settles. */
  onLine(line: Line): Promise<void> | void
  /** Before and after the lines that one chunk completes. */
  onChunk(): void
  onChunkEnd(): void
  /** Once, after the last line; with the error if the stream failed or was destroyed before its end. */
  onEnd(error?: Error): void
}

/** A stream being read. */
export interface LineReader {
  /** Delivers nothing more but lets the stream flow, so that who writes to it is not stuck. Ends the listener. */
  discard(): void
  /** Delivers nothing more and destroys the stream. Ends the listener. */
  stop(): void
  /** A line waits for its listener. */
  readonly isHeld: boolean
}

/** Reads newline-delimited text from a stream, with back-pressure; never throws. */
export function readLines(
  input: Readable,
  messageBytes: number,
  listener: LineListener,
): LineReader {
  const splitter = createLineSplitter(messageBytes)
  let queue: Line[] = []
  let isHeld = false
  let isDone = false
  let ending: { readonly error?: Error } | undefined

  function deliver(lines: Line[]): void {
    if (isHeld) {
      queue = queue.concat(lines)
      return
    }
    for (let index = 0; index < lines.length && !isDone; index++) {
      const room = listener.onLine(lines[index]!) // index is below the length
      if (room === undefined) continue
      isHeld = true
      queue = lines.slice(index + 1)
      input.pause()
      void room.then(release, release)
      return
    }
    if (ending) finish(ending.error)
  }

  function release(): void {
    isHeld = false
    const lines = queue
    queue = []
    deliver(lines)
    if (!isHeld && !isDone) input.resume()
  }

  function finish(error?: Error): void {
    if (isDone) return
    isDone = true
    queue = []
    input.off('data', onData)
    listener.onEnd(error)
  }

  function end(error?: Error): void {
    if (ending || isDone) return
    ending = error ? { error } : {}
    deliver(splitter.end())
  }

  function onData(chunk: unknown): void {
    listener.onChunk()
    deliver(splitter.push(toBuffer(chunk)))
    listener.onChunkEnd()
  }

  input.on('error', end)
  input.on('end', () => end())
  input.on('close', () => end(input.readableEnded ? undefined : prematureClose()))
  if (input.readableEnded || input.destroyed) {
    queueMicrotask(() => end(input.readableEnded ? undefined : (input.errored ?? prematureClose())))
  } else input.on('data', onData)

  return {
    discard() {
      finish()
      input.resume()
    },
    stop() {
      finish()
      input.destroy()
    },
    get isHeld() {
      return isHeld
    },
  }
}

function toBuffer(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  return Buffer.from(String(chunk)) // a stream with an encoding gives text
}

function prematureClose(): Error {
  return new Error('the stream was closed before its end')
}

import { finished, type Readable } from 'node:stream'

import { createLineSplitter, type Line } from './line-splitter.ts'

/** Who gets the lines of a stream. */
export interface LineListener {
  /** A returned promise holds the lines that follow until it settles. */
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

/** How much of a stream is kept. */
export interface LineLimits {
  readonly messageBytes: number
  /** What is read ahead while a line waits for its listener: only a stream that is read says that it has ended. */
  readonly bufferedBytes: number
}

/** Reads newline-delimited text from a stream, with back-pressure; never throws. */
export function readLines(
  input: Readable,
  { messageBytes, bufferedBytes }: LineLimits,
  listener: LineListener,
): LineReader {
  const splitter = createLineSplitter(messageBytes)
  let queue: Line[] = []
  let next = 0
  let bytesAhead = 0
  let isHeld = false
  let isDone = false
  let ending: { readonly error?: Error } | undefined

  function deliver(lines: Line[]): void {
    if (isHeld) for (const line of lines) queue.push(line)
    else advance(lines)
  }

  function advance(lines: Line[]): void {
    queue = lines
    while (next < queue.length) {
      const room = listener.onLine(queue[next++]!) // the index was below the length
      if (room === undefined) continue
      isHeld = true
      void room.then(release, release)
      return
    }
    queue = []
    next = 0
    if (ending) finish(ending.error)
  }

  function release(): void {
    isHeld = false
    advance(queue)
    if (isHeld || isDone) return
    bytesAhead = 0
    input.resume()
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
    const bytes = toBuffer(chunk)
    listener.onChunk()
    deliver(splitter.push(bytes))
    listener.onChunkEnd()
    if (isHeld && (bytesAhead += bytes.length) >= bufferedBytes) input.pause()
  }

  input.on('data', onData)
  finished(input, { writable: false }, (error) => end(error ?? undefined))

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

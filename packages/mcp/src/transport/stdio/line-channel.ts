/**
 * Messages as lines of two streams: reads one message per line, writes one message per line.
 *
 * `LineSplitter` cuts chunks into lines within limits, `LineWriter` joins the messages of one turn into one write. A line that waits
 * for its receiver pauses the input. Who ends the channel, and when, is decided by `serve-stdio.ts` (own process) and
 * `child-process.ts` (a server that was started).
 */
import { type Readable, type Writable, finished } from 'node:stream'

import { McpError } from '../../rpc/errors/mcp-error.ts'
import { errorMessage } from '../../rpc/errors/on-error.ts'
import { defaultLimits } from '../../rpc/limits.ts'
import { type MessageSink, type OutgoingMessage, alreadyReceived } from '../../rpc/transport.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'
import { createLineWriter } from './line-writer.ts'

export interface LineChannelOptions {
  readonly input: Readable
  readonly output: Writable
  /** Limit for one line, without its ending. @defaultValue 64 MiB */
  readonly messageBytes?: number | undefined
  /** Limit for waiting data in either direction: to be written before `send` asks its caller to wait, or read ahead. @defaultValue 1 MiB */
  readonly bufferedBytes?: number | undefined
  /** For errors and traces. Never a credential. */
  readonly peer?: string | undefined
}

/** Newline-delimited messages in both directions; who uses it decides how it ends. */
export interface LineChannel {
  receive(sink: MessageSink): void
  send(message: OutgoingMessage): Promise<void> | void
  /** Writes what is waiting without waiting for the end of the turn. */
  flush(): void
  /** Writes what is waiting, then no more. Never rejects. */
  closeOutput(): Promise<void>
  /** Ends the sink; the input is read and thrown away, so that the peer is not stuck writing. */
  discardInput(): void
  /** Ends the sink and destroys the input. */
  stopInput(): void
  /** A message waits for its sink. */
  isPaused(): boolean
}

/** Puts the line framing on a pair of streams; nothing it does throws from an event. */
export function openLineChannel(options: LineChannelOptions): LineChannel {
  const { input, output, peer } = options
  const { messageBytes = defaultLimits.messageBytes } = options
  const { bufferedBytes = defaultLimits.bufferedBytes } = options
  const limits = { messageBytes, bufferedBytes }
  let sink: MessageSink | undefined
  let reader: LineReader | undefined
  let broken: Error | undefined
  let isEnded = false

  function end(error?: Error): void {
    if (isEnded || !sink) return
    isEnded = true
    sink.end(error)
  }

  /** Ends the channel once data that the peer wrote before it exited has arrived. */
  function endSoon(error: Error): void {
    setTimeout(() => end(error), lastWordsMs).unref()
  }

  const writer = createLineWriter(output, {
    bufferedBytes,
    closedError: () =>
      new McpError('closed', 'the channel is closed', { details: undefined, peer }),
    brokenError: (cause) => connectionClosed(cause, peer),
    onBroken(error) {
      broken = error
      endSoon(error)
    },
  })
  // Also before anybody receives, and after: an 'error' without a listener ends the process.
  input.on('error', () => {})

  return {
    send: writer.send,
    flush: writer.flush,
    closeOutput: writer.close,
    receive(receiver) {
      if (sink) throw alreadyReceived()
      sink = receiver
      if (isEnded) return receiver.end()
      if (broken) endSoon(broken)
      reader = readLines(input, limits, {
        onLine: (line) => (isEnded ? undefined : receiver.message(line)),
        // Immediate responses go out in one write: no timer, no other turn to wait for.
        onChunk: writer.hold,
        onChunkEnd: writer.flush,
        // A peer that has closed both streams has closed, not failed.
        onEnd: (error) => end(error && connectionClosed(error, peer)),
      })
    },
    discardInput() {
      stop()
      if (reader) reader.discard()
      else input.resume()
    },
    stopInput() {
      stop()
      if (reader) reader.stop()
      else input.destroy()
    },
    isPaused: () => reader?.isPaused ?? false,
  }

  /** The sink hears of it a moment later: what it does then may lead back to who is stopping us now. */
  function stop(): void {
    if (isEnded) return
    isEnded = true
    const receiver = sink
    if (receiver) queueMicrotask(() => receiver.end())
  }
}

function connectionClosed(cause: unknown, peer: string | undefined): McpError {
  const reason = errorMessage(cause)
  return new McpError('connection_lost', `the connection broke: ${reason}`, {
    details: { sent: true },
    peer,
    cause,
  })
}

const lastWordsMs = 200

/** Receives the lines of a stream. */
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
interface LineReader {
  /** Delivers nothing more but lets the stream flow, so that who writes to it is not stuck. Ends the listener. */
  discard(): void
  /** Delivers nothing more and destroys the stream. Ends the listener. */
  stop(): void
  /** A line waits for its listener. */
  readonly isPaused: boolean
}

/** How much of a stream is kept. */
export interface LineLimits {
  readonly messageBytes: number
  /** Limit for data that is read ahead while a line waits for its listener: the end of a stream is only seen by reading. */
  readonly bufferedBytes: number
}

/** Reads newline-delimited text from a stream, with back-pressure; never throws. */
function readLines(
  input: Readable,
  { messageBytes, bufferedBytes }: LineLimits,
  listener: LineListener,
): LineReader {
  const splitter = createLineSplitter(messageBytes)
  let queue: Line[] = []
  let next = 0
  let bytesAhead = 0
  let isPaused = false
  let isDone = false
  let ending: { readonly error?: Error } | undefined

  function deliver(lines: Line[]): void {
    if (isPaused) for (const line of lines) queue.push(line)
    else advance(lines)
  }

  function advance(lines: Line[]): void {
    queue = lines
    while (next < queue.length) {
      const drained = listener.onLine(queue[next++]!) // the index was below the length
      if (drained === undefined) continue
      isPaused = true
      void drained.then(release, release)
      return
    }
    queue = []
    next = 0
    if (ending) finish(ending.error)
  }

  function release(): void {
    isPaused = false
    advance(queue)
    if (isPaused || isDone) return
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
    if (isPaused && (bytesAhead += bytes.length) >= bufferedBytes) input.pause()
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
    get isPaused() {
      return isPaused
    },
  }
}

function toBuffer(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  return Buffer.from(String(chunk)) // a stream with an encoding gives text
}

/**
 * Writes messages onto a stream, one per line: all messages of one turn of the event loop in one write.
 *
 * Tells the caller to wait while the stream is full. Large texts are encoded into memory that is used again and again; results that
 * were written before are copied as bytes. Text that came from outside is searched for line breaks; our own JSON has none.
 */
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

import { afterThisTurn } from '../../rpc/after-this-turn.ts'
import { textOf, type PreparedResponse } from '../../rpc/json/json-text.ts'
import { markHandled } from '../../rpc/promise.ts'
import type { OutgoingMessage } from '../../rpc/transport.ts'

/** One message per line onto a stream. */
export interface LineWriter {
  /**
   * Nothing while there is room, else a promise of it. Rejects once the stream is broken or closed. Throws, and leaves
   * the stream as it is, if the message has no JSON.
   */
  send(message: OutgoingMessage): Promise<void> | void
  /** Collects what is sent until `flush`, which comes before the turn ends. */
  hold(): void
  /** Writes what is waiting without waiting for the end of the turn. */
  flush(): void
  /** Writes what is waiting, then resolves; gives up when the stream breaks. Later sends reject. Never rejects. */
  close(): Promise<void>
}

export interface LineWriterOptions {
  /** How much may wait, in characters, before `send` asks its caller to. */
  readonly bufferedBytes: number
  /** Creates the error of a send after `close`. */
  readonly closedError: () => Error
  /** Creates the error of a send after the stream broke. */
  readonly brokenError: (cause: unknown) => Error
  /** Once, when the stream cannot be written to any more and `close` was not called. */
  readonly onBroken: (error: Error) => void
}

/**
 * Messages of one turn of the event loop go out in one write. Binds `output.write` as it is now, so a later
 * replacement, such as a guard, does not see our own lines.
 */
export function createLineWriter(output: Writable, options: LineWriterOptions): LineWriter {
  const write = output.write.bind(output)
  const waiting = createLineQueue(lendsTo(output))
  let isScheduled = false
  let isFull = false
  let drained: Deferred | undefined
  let failure: Promise<never> | undefined
  let closing: Promise<void> | undefined

  function flush(): void {
    isScheduled = false
    if (isFull || failure || waiting.length === 0) return
    if (!output.writable) return onBroken(new Error('the stream has ended'))
    const lines = waiting.take()
    isFull = !(typeof lines === 'string' ? write(lines, 'utf8') : write(lines, giveBack))
    if (!isFull) freeCapacity()
  }

  function freeCapacity(): void {
    drained?.resolve()
    drained = undefined
  }

  function onDrain(): void {
    isFull = false
    flush()
    if (!isFull) freeCapacity()
  }

  function fail(error: Error): void {
    if (failure) return
    failure = markHandled(Promise.reject(error))
    waiting.take()
    drained?.reject(error)
    drained = undefined
  }

  function onBroken(cause: unknown): void {
    if (failure) return
    const error = options.brokenError(cause)
    fail(error)
    if (!closing) options.onBroken(error)
  }

  function onClose(): void {
    onBroken(new Error('the stream was closed'))
  }

  async function finish(): Promise<void> {
    flush()
    while (waiting.length > 0 && !failure) await drainPromise().catch(() => {}) // a broken stream ends the loop
    await new Promise<void>((resolve) => {
      if (failure || output.destroyed || output.writableLength === 0) return resolve()
      output.once('close', resolve)
      output.once('error', () => resolve())
      write('', () => resolve())
    })
    fail(options.closedError())
    output.off('drain', onDrain)
    output.off('close', onClose)
  }

  function drainPromise(): Promise<void> {
    drained ??= createDeferred()
    return drained.promise
  }

  output.on('drain', onDrain)
  output.on('error', onBroken)
  output.on('close', onClose)

  return {
    send(message) {
      if (failure) return failure
      if (closing) return markHandled(Promise.reject(options.closedError()))
      waiting.add(message)
      if (!isScheduled && !isFull) {
        isScheduled = true
        afterThisTurn(flush)
      }
      const size = isFull ? waiting.length + output.writableLength : waiting.length
      return size < options.bufferedBytes ? undefined : drainPromise()
    },
    hold() {
      isScheduled = true
    },
    flush,
    close: () => (closing ??= finish()),
  }
}

interface Deferred {
  readonly promise: Promise<void>
  resolve(): void
  reject(error: Error): void
}

function createDeferred(): Deferred {
  let resolve = (): void => {}
  let reject = (_: Error): void => {}
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise: markHandled(promise), resolve, reject }
}

/** Messages on their way to one write. */
export interface LineQueue {
  /** In characters. */
  readonly length: number
  /** Throws if it has no JSON. */
  add(message: OutgoingMessage): void
  /** All of them, each on a line of its own. Bytes are lent: `giveBack` returns them after the write. */
  take(): string | Buffer
}

/** A message as text; large results that were written before keep their bytes, so that they are not encoded again. */
type QueuedLine = string | PreparedResponse

/** Joins the lines once: a long text that is searched by itself, or added to others one by one, is copied each time. */
function createLineQueue(mayBorrow: boolean): LineQueue {
  let lines: QueuedLine[] = []
  let length = 0
  let hasForeignText = false
  let hasPrepared = false

  function join(): string | Buffer {
    if (mayBorrow && !hasForeignText && length > largeLength) {
      const bytes = encodeLines(lines, length)
      if (bytes !== undefined) return bytes
    }
    const texts = hasPrepared ? lines.map(textOf) : (lines as string[]) // none is prepared
    if (texts.length === 1 && !hasForeignText) return `${texts[0]}\n`
    texts.push('') // for the end of the last line
    const joined = texts.join('\n')
    return hasForeignText && hasBreaks(joined, texts.length - 1) ? oneLineEach(texts) : joined
  }

  return {
    get length() {
      return length
    },
    add(message) {
      const { text, prepared } = message
      lines.push(prepared ?? text)
      hasPrepared ||= prepared !== undefined
      length += text.length + 1
      hasForeignText ||= prepared === undefined && typeof message.raw === 'string'
    },
    take() {
      const joined = join()
      lines = []
      length = 0
      hasForeignText = false
      hasPrepared = false
      return joined
    },
  }
}

/** Below this a stream needs no memory of its own to encode a text. */
const largeLength = 16_384

/** Checks a text for line breaks: our own JSON has none, other text may. */
function hasBreaks(joined: string, expected: number): boolean {
  if (joined.includes('\r')) return true
  let breaks = 0
  for (let at = joined.indexOf('\n'); at !== -1; at = joined.indexOf('\n', at + 1)) breaks++
  return breaks !== expected
}

/** A line break in JSON text is always between tokens, where a space means the same. */
function oneLineEach(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(/[\r\n]+/g, ' ')).join('\n')
}

/**
 * Memory for large texts on their way to the system, used again and again: the first touch of new memory costs more
 * than all of encoding. There is one for all streams, lent to one write at a time; its pages exist once they are used.
 */
let memory: Buffer | undefined
let isLent = false

/** Four mebibytes: enough for a text of a third of that whatever its characters. */
const capacity = 4 * 2 ** 20
const maxBytesPerCharacter = 3
const lineFeed = 0x0a

/** A stream that keeps what it is given no longer than until it calls back: one of the system's, as Node made it. */
export function lendsTo(output: Writable): boolean {
  return output instanceof Socket && !Object.hasOwn(output, 'write')
}

/** The lines as bytes; undefined if there are too many or the memory is in use. */
export function encodeLines(lines: readonly QueuedLine[], characters: number): Buffer | undefined {
  if (isLent || characters * maxBytesPerCharacter > capacity) return undefined
  isLent = true
  memory ??= Buffer.allocUnsafeSlow(capacity)
  let end = 0
  for (const line of lines) {
    if (typeof line === 'string') end += memory.write(line, end)
    else {
      end += memory.write(line.before, end)
      memory.set(line.json.bytes, end)
      end += line.json.bytes.length
      end += memory.write(line.after, end)
    }
    memory[end++] = lineFeed
  }
  return memory.subarray(0, end)
}

/** Returns the buffer of `encodeLines` once it is written. */
export function giveBack(): void {
  isLent = false
}

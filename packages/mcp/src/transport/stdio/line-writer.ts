import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

import { afterThisTurn } from '../../rpc/after-this-turn.ts'
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
  /** What a send after `close` rejects with. */
  readonly closedError: () => Error
  /** What a send rejects with once the stream is broken. */
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
  let room: Deferred | undefined
  let failure: Promise<never> | undefined
  let closing: Promise<void> | undefined

  function flush(): void {
    isScheduled = false
    if (isFull || failure || waiting.length === 0) return
    if (!output.writable) return onBroken(new Error('the stream has ended'))
    const lines = waiting.take()
    isFull = !(typeof lines === 'string' ? write(lines, 'utf8') : write(lines, giveBack))
    if (!isFull) makeRoom()
  }

  function makeRoom(): void {
    room?.resolve()
    room = undefined
  }

  function onDrain(): void {
    isFull = false
    flush()
    if (!isFull) makeRoom()
  }

  function fail(error: Error): void {
    if (failure) return
    failure = markHandled(Promise.reject(error))
    waiting.take()
    room?.reject(error)
    room = undefined
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
    while (waiting.length > 0 && !failure) await roomPromise().catch(() => {}) // a broken stream ends the loop
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

  function roomPromise(): Promise<void> {
    room ??= createDeferred()
    return room.promise
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
      return size < options.bufferedBytes ? undefined : roomPromise()
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
  /** All of them, each on a line of its own. Bytes are lent: who writes them gives them back. */
  take(): string | Buffer
}

/** Joined once: a long text that is looked at by itself first, or added to others one by one, is copied each time. */
function createLineQueue(mayBorrow: boolean): LineQueue {
  let texts: string[] = []
  let length = 0
  let hasText = false

  function join(): string | Buffer {
    if (mayBorrow && !hasText && length > largeLength) {
      const bytes = encodeLines(texts, length)
      if (bytes !== undefined) return bytes
    }
    if (texts.length === 1 && !hasText) return `${texts[0]}\n`
    texts.push('') // for the end of the last line
    const joined = texts.join('\n')
    return hasText && hasBreaks(joined, texts.length - 1) ? oneLineEach(texts) : joined
  }

  return {
    get length() {
      return length
    },
    add(message) {
      const { text } = message
      texts.push(text)
      length += text.length + 1
      hasText ||= typeof message.raw === 'string'
    },
    take() {
      const lines = join()
      texts = []
      length = 0
      hasText = false
      return lines
    },
  }
}

/** Below this a stream needs no memory of its own to encode a text. */
const largeLength = 16_384

/** What we write as JSON has none; a text may come from anywhere. */
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

/** The texts as bytes, each on a line of its own; nothing when there are too many or the memory is in use. */
export function encodeLines(texts: readonly string[], characters: number): Buffer | undefined {
  if (isLent || characters * maxBytesPerCharacter > capacity) return undefined
  isLent = true
  memory ??= Buffer.allocUnsafeSlow(capacity)
  let end = 0
  for (const text of texts) {
    end += memory.write(text, end)
    memory[end++] = lineFeed
  }
  return memory.subarray(0, end)
}

/** What `encodeLines` gave is written. */
export function giveBack(): void {
  isLent = false
}

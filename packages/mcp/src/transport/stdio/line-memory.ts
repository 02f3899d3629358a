import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

/**
 * Memory for large texts on their way to the system, used again and again: the first touch of new memory costs more
 * than all of encoding. There is one for all streams, lent to one write at a time; its pages exist once they are used.
 */
let memory: Buffer | undefined
let isLent = false

/** Four mebibytes: enough for a text of a third of that whatever its characters. */
const capacity = 4 * 2 ** 20
const mostBytesPerCharacter = 3
const lineFeed = 0x0a

/** A stream that keeps what it is given no longer than until it calls back: one of the system's, as Node made it. */
export function lendsTo(output: Writable): boolean {
  return output instanceof Socket && !Object.hasOwn(output, 'write')
}

/** The texts as bytes, each on a line of its own; nothing when there are too many or the memory is in use. */
export function encodeLines(texts: readonly string[], characters: number): Buffer | undefined {
  if (isLent || characters * mostBytesPerCharacter > capacity) return undefined
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

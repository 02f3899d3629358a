import type { OutgoingMessage } from '../../rpc/transport/outgoing-message.ts'
import { encodeLines } from './line-memory.ts'

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
export function createLineQueue(mayBorrow: boolean): LineQueue {
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

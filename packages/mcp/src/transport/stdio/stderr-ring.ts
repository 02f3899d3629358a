import { StringDecoder } from 'node:string_decoder'

/** The end of what a child wrote to its standard error. */
export interface StderrRing {
  push(chunk: Buffer): void
  /** No more will come: a last line without an ending is a line. */
  end(): void
  /** The last of it as text. */
  text(): string
}

/** Keeps the last `bytes` bytes and passes on whole lines as they come. */
export function createStderrRing(
  onLine?: (line: string) => void,
  bytes: number = 64 * 1024,
): StderrRing {
  const decoder = new StringDecoder('utf8')
  let chunks: Buffer[] = []
  let size = 0
  let isCut = false
  let partial = ''

  function join(): Buffer {
    const last = Buffer.concat(chunks).subarray(-bytes)
    isCut ||= size > bytes
    chunks = [last]
    size = last.length
    return last
  }

  function emit(line: string): void {
    try {
      onLine?.(line.endsWith('\r') ? line.slice(0, -1) : line)
    } catch {
      // A fault of the listener must not stop the draining, and there is no call to reject.
    }
  }

  function split(text: string): void {
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) emit(takePartial() + line)
    partial += last
    if (partial.length > bytes) emit(takePartial())
  }

  function takePartial(): string {
    const line = partial
    partial = ''
    return line
  }

  return {
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (size > 2 * bytes || chunks.length > chunksBeforeJoin) join()
      if (onLine) split(decoder.write(chunk))
    },
    end() {
      if (!onLine) return
      split(decoder.end())
      if (partial !== '') emit(takePartial())
    },
    text() {
      const last = join()
      // The cut may go through a character.
      let start = 0
      while (isCut && start < 4 && (last[start] ?? 0) >> 6 === 0b10) start++
      return last.toString('utf8', start)
    },
  }
}

const chunksBeforeJoin = 1024

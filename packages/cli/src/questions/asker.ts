import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

import { safeText } from '@parley/foundation/terminal'

import type { Io } from '../io.ts'

/** Asks at the terminal, one line at a time. */
export interface Prompter {
  /** The line without its end; `undefined` when there is nobody any more, or they pressed Ctrl+C or Ctrl+D. */
  ask(
    question: string,
    options?: { readonly isHidden?: boolean | undefined },
  ): Promise<string | undefined>
  say(text: string): void
  close(): void
}

/** Questions go to standard error: standard output is for results. */
export function createPrompter({ stdin, stderr, signal }: Io): Prompter {
  let isMuted = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) stderr.write(chunk.toString())
      done()
    },
  })
  const isTerminal = stdin.isTTY === true && 'setRawMode' in stdin
  const lines = createInterface({ input: stdin, output, terminal: isTerminal })
  const waiting: ((line: string | undefined) => void)[] = []
  const read: string[] = []
  let isClosed = false

  function end(): void {
    isClosed = true
    for (const resolve of waiting.splice(0)) resolve(undefined)
  }
  lines.on('line', (line) => {
    const next = waiting.shift()
    if (next === undefined) read.push(line)
    else next(line)
  })
  lines.on('close', end)
  lines.on('SIGINT', () => waiting.shift()?.(undefined))
  signal.addEventListener('abort', end, { once: true })

  return {
    async ask(question, { isHidden = false } = {}) {
      stderr.write(safeText(question))
      const early = read.shift()
      if (early !== undefined) return early
      if (isClosed) return undefined
      isMuted = isHidden
      try {
        return await new Promise<string | undefined>((resolve) => waiting.push(resolve))
      } finally {
        isMuted = false
        if (isHidden) stderr.write('\n')
      }
    },
    say: (text) => void stderr.write(`${safeText(text, { lineLength: 2_000 })}\n`),
    close() {
      signal.removeEventListener('abort', end)
      lines.close()
      stdin.pause()
    },
  }
}

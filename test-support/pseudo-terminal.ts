import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, onTestFinished, vi } from 'vitest'

/** What a test may change. */
export interface PseudoTerminalOptions {
  /** @defaultValue 80 */
  readonly columns?: number
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
}

/**
 * A program at a real pseudo-terminal, made by `script` of util-linux. The settings of the terminal are printed before and
 * after it, and its exit code.
 */
export function openPseudoTerminal(
  program: readonly string[],
  { columns = 80, env = {}, cwd = process.cwd() }: PseudoTerminalOptions = {},
) {
  const words = program.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  const command = `stty cols ${columns} rows 30; stty -g | sed 's/^/before /'; ${words}; echo "[exit $?]"; stty -g | sed 's/^/after /'`
  const child = spawn('script', ['-q', '-f', '-e', '-c', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TERM: 'xterm-256color', ...env },
    cwd,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let seen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text))
  const exited = once(child, 'exit')

  return {
    /** All that was written to the terminal. */
    raw: () => seen,
    /** The same without codes for places and colours. */
    text: () => withoutCodes(seen),
    /** Waits for text. */
    sees: (text: string | RegExp) =>
      vi.waitFor(() => expect(withoutCodes(seen)).toMatch(new RegExp(text)), {
        timeout: 60_000,
        interval: 50,
      }),
    /** Forgets what was seen so far. */
    forget() {
      seen = ''
    },
    type: (text: string) => void child.stdin.write(text),
    exited,
  }
}

/** What a terminal shows of it, without codes for places and colours. */
export function withoutCodes(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r', '')
}

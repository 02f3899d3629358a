import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, onTestFinished, vi } from 'vitest'

const program = fileURLToPath(new URL('../fixtures/terminal-process.mjs', import.meta.url))

/** The chat at a real pseudo-terminal, made by `script` of util-linux. Its settings are printed before and after. */
export function openTerminal(
  options: { readonly columns?: number; readonly env?: object; readonly cwd?: string } = {},
) {
  const { columns = 80, env = {}, cwd } = options
  const command = `stty cols ${columns} rows 30; stty -g | sed 's/^/before /'; ${execPath} ${program}; echo "[exit $?]"; stty -g | sed 's/^/after /'`
  const child = spawn('script', ['-q', '-f', '-e', '-c', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TERM: 'xterm-256color', ...env },
    ...(cwd !== undefined && { cwd }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let seen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text))
  const exited = once(child, 'exit')

  return {
    raw: () => seen,
    /** Waits for text, without codes for places and colours. */
    sees: (text: string | RegExp) =>
      vi.waitFor(() => expect(plain(seen)).toMatch(new RegExp(text)), {
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

/** Without the codes for places and colours. */
export function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r', '')
}

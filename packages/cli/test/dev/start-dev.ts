import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import { repositoryFile } from '../run.ts'

/** What the program says with `--json`. */
export interface DevEvent {
  readonly event: string
  readonly url: string
  readonly changed: string
  readonly message: string
  readonly stderr: string
}

/** `parley dev` as a process of its own. */
export interface Dev extends AsyncDisposable {
  /** The next event; those before it have been heard. */
  next(): Promise<DevEvent>
  /** Ctrl+C; gives the exit code. */
  interrupt(): Promise<number | null>
}

/** Runs it in a folder, with a home of its own there. */
export async function startDev(folder: string, ...args: readonly string[]): Promise<Dev> {
  const home = join(folder, '.home')
  mkdirSync(home, { recursive: true })
  const program = repositoryFile('packages/cli/dist/main.js')
  const child = spawn(execPath, [program, 'dev', '--no-open', '--json', ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, 'exit')

  async function interrupt(): Promise<number | null> {
    child.kill('SIGINT')
    const [code] = (await exited) as [number | null] // as documented
    return code
  }

  return {
    async next() {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('it has ended')
      return JSON.parse(value) as DevEvent // every line is one
    },
    interrupt,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) await interrupt()
    },
  }
}

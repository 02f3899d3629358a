import { execPath } from 'node:process'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { runCli, type Io } from '@parley/cli'

/** How a run ended and what it wrote. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What a test may change. */
export interface RunOptions {
  readonly env?: { readonly [name: string]: string | undefined } | undefined
  readonly cwd?: string | undefined
  /** What is typed or piped in. */
  readonly input?: string | undefined
  /** Whether somebody sits there. */
  readonly isTTY?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Hear what is written while it runs. */
  readonly onStdout?: ((text: string) => void) | undefined
  readonly onStderr?: ((text: string) => void) | undefined
}

/** Runs a command line in this process. Nothing of the user's home is read. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input = '', isTTY = false, cwd = '/' } = options
  const written = { stdout: [] as string[], stderr: [] as string[] }
  const stdin = Object.assign(new PassThrough(), { isTTY })
  stdin.end(input)
  const io: Io = {
    stdin,
    stdout: {
      isTTY: false,
      columns: 100,
      write: (text) => {
        written.stdout.push(String(text))
        options.onStdout?.(String(text))
      },
    },
    stderr: {
      isTTY: false,
      columns: 100,
      write: (text) => {
        written.stderr.push(String(text))
        options.onStderr?.(String(text))
      },
    },
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...options.env },
    cwd,
    signal: options.signal ?? new AbortController().signal,
  }
  const code = await runCli(argv, io)
  return { code, stdout: written.stdout.join(''), stderr: written.stderr.join('') }
}

/** Where a file of the repository is. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** Commands that start servers. */
export const servers = {
  everything: [execPath, repositoryFile('servers/everything/dist/main.js'), 'stdio'],
  officialEverything: [
    execPath,
    repositoryFile('node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
    'stdio',
  ],
  officialFilesystem: [
    execPath,
    repositoryFile('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'),
  ],
} as const

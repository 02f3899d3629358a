import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** How a program of this repository, or of a package it installs for tests, is started. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

const require = createRequire(import.meta.url)

/** Where a server is reached: a program of one's own, or an address. */
export type Target = Program | HttpTarget
/** An address, and what reaches it if not the global `fetch`. */
export interface HttpTarget {
  readonly url: URL
  readonly channel: HttpChannel
  readonly fetch?: typeof fetch
}
export type HttpChannel = 'streamableHttp' | 'sse'

/** Our everything server, as it is built. */
export const ourEverything: Program = {
  command: execPath,
  args: [
    fileURLToPath(new URL('../../../../servers/everything/dist/main.js', import.meta.url)),
    'stdio',
  ],
}

export const officialEverything: Program = {
  command: execPath,
  args: [mainOf(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'stdio'],
}

export function officialFilesystem(...folders: readonly string[]): Program {
  const main = mainOf(require.resolve('@modelcontextprotocol/server-filesystem/package.json'))
  return { command: execPath, args: [main, ...folders] }
}

function mainOf(manifest: string): string {
  return join(dirname(manifest), 'dist/index.js')
}

/** Our everything server on a port of its own. */
export async function startEverything(
  channel: HttpChannel,
): Promise<{ readonly url: URL; readonly channel: HttpChannel } & Disposable> {
  const [main = ''] = ourEverything.args
  const child = spawn(execPath, [main, channel], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [line] = (await once(child.stderr, 'data')) as [Buffer]
  const url = new URL(
    line
      .toString()
      .replace(/^.*listens on /, '')
      .trim(),
  )
  return { url, channel, [Symbol.dispose]: () => void child.kill() }
}

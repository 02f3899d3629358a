import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import type { Target } from './client.ts'

export type Channel = 'stdio' | 'HTTP'

/** Where a server is reached; over HTTP it runs until it is disposed, over stdio its client starts it. */
export interface Started extends Disposable {
  readonly target: Target
}

interface ServerProgram {
  readonly name: string
  readonly main: string
  readonly args?: readonly string[]
  /** It does not tell which port it took, so it has to be given one. */
  readonly isSilent?: true
}

const require = createRequire(import.meta.url)
const everything = require.resolve('@modelcontextprotocol/server-everything/package.json')

export const servers: readonly ServerProgram[] = [
  {
    name: 'ours',
    main: pathOf('../../servers/everything/dist/main.js'),
    args: ['--page-size', '3'],
  },
  { name: 'official, generation 1', main: pathOf('fixtures/server-v1.mjs') },
  { name: 'official, generation 2', main: pathOf('fixtures/server-v2.mjs') },
  {
    name: 'official everything',
    main: join(dirname(everything), 'dist/index.js'),
    isSilent: true,
  },
]

export async function startServer(program: ServerProgram, channel: Channel): Promise<Started> {
  const { main, args = [], isSilent = false } = program
  if (channel === 'stdio') {
    const target = { command: execPath, args: [main, 'stdio', ...args] }
    return { target, [Symbol.dispose]: () => undefined }
  }
  const port = isSilent ? await findPort() : 0
  const child = spawn(execPath, [main, 'streamableHttp', ...args], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  for await (const line of createInterface({ input: child.stderr })) {
    said = line
    if (/listen(s|ing) on/.test(line)) break
  }
  child.stderr.resume()
  const [, told] = /listen(?:s|ing) on (http:.*)/.exec(said) ?? []
  const target = { url: new URL(told ?? `http://127.0.0.1:${port}/mcp`) }
  return { target, [Symbol.dispose]: () => void child.kill() }
}

/** Free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server
  server.close()
  await once(server, 'close')
  return port
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

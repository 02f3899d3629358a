import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import { repositoryFile } from './run.ts'

/** A server on the network, as a process of its own. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string
  /** Everything it printed until it listened. */
  readonly printed: string
}

/** Starts our everything server over HTTP. */
export function startEverything(...args: readonly string[]): Promise<HttpServer> {
  return start(['servers/everything/dist/main.js', ...args], 'listens on ')
}

async function start([file = '', ...args]: readonly string[], sign: string): Promise<HttpServer> {
  const port = await freePort()
  const child = spawn(execPath, [repositoryFile(file), ...args], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  for await (const line of createInterface(child.stderr)) {
    printed += `${line}\n`
    if (line.includes(sign)) break
  }
  return {
    url: /listens on (\S+)/.exec(printed)?.[1] ?? `http://127.0.0.1:${port}/mcp`,
    printed,
    async [Symbol.asyncDispose]() {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo // listening on an address, not a pipe
  await new Promise((resolve) => listener.close(resolve))
  return port
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { ServerEntry } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'

import { findFreePort } from '../../../../test-support/free-port.ts'

/** A server that can be reached until it is disposed of. */
export interface Served extends AsyncDisposable {
  readonly entry: ServerEntry
}

/** A way to reach a server. */
export type Route = 'stdio' | 'http' | 'sse' | 'websocket'

const ours = fileURLToPath(new URL('fixtures/everything-stdio.mjs', import.meta.url))
const official = fileURLToPath(
  new URL(
    '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
)

/** Our everything server with short waits, by one way. */
export async function serveOurs(route: Route): Promise<Served> {
  if (route === 'stdio') return startedByClient([ours])
  const service = await serveHttp(
    createEverythingServer({ extras: true, stageMs: 150, updateEveryMs: 500 }),
    { port: 0, ownsProcess: false, websocket: route === 'websocket', legacySse: route === 'sse' },
  )
  const { href } = service.url
  const entries = {
    http: { url: href },
    sse: { type: 'sse', url: `${href}/sse` },
    websocket: { url: href.replace('http:', 'ws:') },
  } as const
  return {
    entry: entries[route],
    async [Symbol.asyncDispose]() {
      await service.drain({ deadlineMs: 0 })
    },
  }
}

/** The official everything server, by one of its ways. */
export async function serveOfficial(route: 'stdio' | 'http' | 'sse'): Promise<Served> {
  if (route === 'stdio') return startedByClient([official, 'stdio'])
  const port = await findFreePort()
  const child = spawn(execPath, [official, route === 'sse' ? 'sse' : 'streamableHttp'], {
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
  })
  const url = `http://localhost:${port}/${route === 'sse' ? 'sse' : 'mcp'}`
  const isUp = () =>
    fetch(url, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    )
  while (child.exitCode === null && !(await isUp())) await wait(100)
  return {
    entry: route === 'sse' ? { type: 'sse', url } : { url },
    async [Symbol.asyncDispose]() {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

function startedByClient(args: readonly string[]): Served {
  return { entry: { command: execPath, args: [...args] }, async [Symbol.asyncDispose]() {} }
}

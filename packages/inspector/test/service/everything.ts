import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { ServerEntry } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'

/** The everything server on the network, in this process. */
export interface Everything extends AsyncDisposable {
  readonly entry: ServerEntry
}

export type Route = 'stdio' | 'http' | 'sse' | 'websocket'

const program = fileURLToPath(
  new URL('../../../../servers/everything/dist/main.js', import.meta.url),
)

/** The everything server as a command. */
export const everythingCommand = {
  command: execPath,
  args: [program, 'stdio', '--extras'],
} satisfies ServerEntry

/** Reached by one way. */
export async function serveEverything(route: Route = 'http'): Promise<Everything> {
  if (route === 'stdio') return { entry: everythingCommand, async [Symbol.asyncDispose]() {} }
  const server = createEverythingServer({ extras: true, stageMs: 0, updateEveryMs: 5 })
  const service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    websocket: route === 'websocket',
    legacySse: route === 'sse',
  })
  const { href } = service.url
  return {
    entry:
      route === 'websocket'
        ? { url: href.replace('http:', 'ws:') }
        : route === 'sse'
          ? { type: 'sse', url: `${href}/sse` }
          : { url: href },
    async [Symbol.asyncDispose]() {
      await service.drain()
    },
  }
}

/** A server with faults, as a command. */
export const foreignCommand = {
  command: execPath,
  args: [fileURLToPath(new URL('foreign-server.mjs', import.meta.url))],
} satisfies ServerEntry

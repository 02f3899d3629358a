import { isLoopbackAddress, parseUrl } from '@parley/mcp/address'
import type { HttpGuard } from '@parley/mcp/http'
import type { ServeHttpOptions } from '@parley/mcp/node'
import type { Server, Service } from '@parley/mcp/server'

import type { CommonValues } from './arguments.ts'
import type { ProgramTransport } from './flags.ts'
import { createTokenGuard } from './token-guard.ts'
import { UsageError } from './usage-error.ts'

/** How a server that listens is asked to do so. */
export interface ListenRequest {
  readonly transport: Exclude<ProgramTransport, 'stdio'>
  readonly common: CommonValues
  /** When nothing is said. @defaultValue 3000 */
  readonly port?: number | undefined
  readonly token: string | undefined
  /** The variable of the environment that can hold the token. */
  readonly tokenVariable: string
  readonly ownsProcess?: boolean | undefined
  /** Makes out who calls at this address, where that is not by a token. @defaultValue nobody is asked */
  readonly guard?:
    | ((url: URL) => HttpGuard | undefined | Promise<HttpGuard | undefined>)
    | undefined
}

/** Listens as asked. Nothing but this machine gets in without a token. */
export async function listen<App>(
  server: Server<App, unknown>,
  request: ListenRequest,
  log: (line: string) => void,
): Promise<Service> {
  const options = await withGuard(listenOptions(request), request)
  const { serveHttp } = await import('@parley/mcp/node') // a stdio server never loads it
  const service = await serveHttp(server, options)
  if (!(await isChild(options))) {
    log(`${server.info.name} listens on ${addressOf(service.url, request.transport)}`)
  }
  return service
}

/** Of several processes, the first one speaks for all. */
async function isChild({ processes }: ServeHttpOptions): Promise<boolean> {
  return processes !== undefined && (await import('node:cluster')).default.isWorker
}

/** Whoever asks callers who they are has to know the address it is asked for. */
async function withGuard(
  options: ServeHttpOptions,
  { guard, token }: ListenRequest,
): Promise<ServeHttpOptions> {
  const { host, port, path, url = `http://${nameOf(host ?? '')}:${port}${path}` } = options
  const auth = await guard?.(new URL(url))
  if (auth === undefined) return options
  if (options.processes !== undefined) {
    throw new UsageError('--processes cannot be used with sign-in, which only one process knows.')
  }
  if (token === undefined) return { ...options, url, auth }
  throw new UsageError('Callers either sign in or send a token: leave one of the two options out.')
}

/** What `serveHttp` is told; throws `UsageError` where that would be unsafe or cannot be. */
export function listenOptions(request: ListenRequest): ServeHttpOptions {
  const { transport, common, token, tokenVariable } = request
  const host = common.host ?? '127.0.0.1'
  const port = portOf(common.port ?? String(request.port ?? 3_000))
  const path = pathOf(common.path ?? (transport === 'sse' ? '/' : '/mcp'))
  const isPublic = !isLoopbackAddress(host)
  if (isPublic && token === undefined) {
    throw new UsageError(
      `Other machines can reach ${host}: set --auth-token TOKEN or ${tokenVariable}, ` +
        'or listen on 127.0.0.1.',
    )
  }
  const url = common.url ?? (isPublic ? `http://${nameOf(host)}:${port}${path}` : undefined)
  if (url !== undefined && parseUrl(url) === undefined) {
    throw new UsageError(`${url} is not a valid URL. Write it as in https://api.example/mcp.`)
  }
  return {
    host,
    port,
    path,
    ownsProcess: request.ownsProcess,
    ...(common.processes !== undefined && { processes: processesOf(common.processes, transport) }),
    legacySse: transport === 'sse',
    websocket: transport === 'ws',
    ...(url !== undefined && { url }),
    ...(token !== undefined && { auth: createTokenGuard(token) }),
    allowedHosts: common['allowed-host'] ?? [],
    allowedOrigins: common['allowed-origin'] ?? [],
  }
}

/** As in a URL. */
function nameOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new UsageError(
    `The port must be a whole number from 0 to 65535, not ${JSON.stringify(text)}.`,
  )
}

function processesOf(text: string, transport: ListenRequest['transport']): number | 'auto' {
  if (transport === 'sse') {
    throw new UsageError('--processes needs --transport http or ws: sse is bound to one process.')
  }
  const count = Number(text)
  if (text === 'auto') return text
  if (/^\d{1,4}$/.test(text) && count >= 1 && count <= 1_024) return count
  throw new UsageError(
    `--processes takes a number from 1 to 1024 or auto, not ${JSON.stringify(text)}.`,
  )
}

function pathOf(path: string): string {
  if (/^\/[^\s?#]*$/.test(path)) return path
  throw new UsageError(`The path must begin with / and contain no ? or #: ${JSON.stringify(path)}.`)
}

function addressOf(url: URL, transport: ListenRequest['transport']): string {
  if (transport === 'http') return url.href
  if (transport === 'ws') return url.href.replace(/^http/, 'ws')
  return `${url.href.replace(/\/$/, '')}/sse`
}

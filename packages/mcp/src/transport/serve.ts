import { parseArgs } from 'node:util'

import type { Service } from '../server/serve.ts'
import type { Server } from '../server/server.ts'
import type { ServeHttpOptions } from './http/serve-http.ts'
import { serveStdio, type StdioOptions } from './serve-stdio.ts'

export interface ServeAnyOptions {
  /** @defaultValue process.argv.slice(2) */
  readonly args?: readonly string[] | undefined
  readonly stdio?: StdioOptions | undefined
  readonly http?: ServeHttpOptions | undefined
}

/** The whole program: stdio unless the arguments say `--http [port]`, `--host`, `--path`. Logs to stderr. */
export async function serve<App>(
  server: Server<App, unknown>,
  { args = process.argv.slice(2), stdio, http }: ServeAnyOptions = {},
): Promise<Service> {
  const asked = readArguments(args)
  if (asked === undefined) return serveStdio(server, stdio)
  const { serveHttp } = await import('./http/serve-http.ts') // a stdio server never loads it
  const service = await serveHttp(server, { ...http, ...asked })
  console.error(`${server.info.name} listens on ${service.url.href}`)
  return service
}

/** What `--http` and its companions say; undefined without it. Other arguments are the program's own. */
function readArguments(args: readonly string[]): ServeHttpOptions | undefined {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: { http: { type: 'boolean' }, host: { type: 'string' }, path: { type: 'string' } },
    strict: false,
    tokens: true,
  })
  if (values['http'] !== true) return undefined
  const at = tokens.findIndex((token) => token.kind === 'option' && token.name === 'http')
  const next = tokens[at + 1]
  const port =
    next?.kind === 'positional' && /^\d{1,5}$/.test(next.value) ? Number(next.value) : undefined
  return {
    ...(port !== undefined && { port }),
    ...(typeof values['host'] === 'string' && { host: values['host'] }),
    ...(typeof values['path'] === 'string' && { path: values['path'] }),
  }
}

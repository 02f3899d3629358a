import type { Service } from '../server/peer/serve.ts'
import type { Server } from '../server/server.ts'
import type { ServeHttpOptions } from './http/runtime/serve-http.ts'
import { readHttpArguments, type HttpArguments } from './serve-arguments.ts'
import { serveStdio, type StdioOptions } from './stdio/serve-stdio.ts'

/** How each of the two ways is served, and who says which. */
export interface ServeAnyOptions {
  /** @defaultValue process.argv.slice(2) */
  readonly args?: readonly string[] | undefined
  readonly stdio?: StdioOptions | undefined
  /** What the arguments do not say. */
  readonly http?: ServeHttpOptions | undefined
}

/**
 * The whole program: stdio, unless the arguments say `--http [PORT]`, with `--port`, `--host` and `--path`. Logs to
 * stderr. Where the command line has a port that is none, that is said in a line, and the process ends.
 */
export async function serve<App>(
  server: Server<App, unknown>,
  { args, stdio, http }: ServeAnyOptions = {},
): Promise<Service> {
  const { name } = server.info
  const asked = args ? readHttpArguments(args) : readCommandLine(name)
  if (asked === undefined) {
    if ((stdio?.input ?? process.stdin) === process.stdin && process.stdin.isTTY) {
      console.error(`${name} waits for MCP messages on stdin; with --http it listens on a port`)
    }
    return serveStdio(server, stdio)
  }
  const { serveHttp } = await import('./http/runtime/serve-http.ts') // a stdio server never loads it
  const service = await serveHttp(server, { ...http, ...asked })
  console.error(`${name} listens on ${service.url.href}`)
  return service
}

/** Who typed it reads no stack. */
function readCommandLine(name: string): HttpArguments | undefined {
  try {
    return readHttpArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`) // the only kind it throws
    process.exit(2)
  }
}

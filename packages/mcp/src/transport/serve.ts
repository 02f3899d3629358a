import { parseArgs } from 'node:util'

import { McpError } from '../rpc/errors/mcp-error.ts'
import type { Server } from '../server/server.ts'
import type { Service } from '../server/sessions/serve-connection.ts'
import type { ServeHttpOptions } from './http/runtime/serve-http.ts'
import { serveStdio, type StdioOptions } from './stdio/serve-stdio.ts'

/** How each of the two ways is served, and who says which. */
export interface ServeAnyOptions {
  /** @defaultValue process.argv.slice(2) */
  readonly args?: readonly string[] | undefined
  /** Options for stdio. */
  readonly stdio?: StdioOptions | undefined
  /** Options that cannot be set by arguments. */
  readonly http?: ServeHttpOptions | undefined
}

/**
 * The whole program: stdio, unless the arguments say `--http [PORT]`, with `--port`, `--host`, `--path` and `--processes`.
 * Logs to stderr. An invalid port on the command line is reported in one line, and the process exits with code 2.
 */
export async function serve<App>(
  server: Server<App, unknown>,
  { args, stdio, http }: ServeAnyOptions = {},
): Promise<Service> {
  const { name } = server.info
  const target = args ? readHttpArguments(args) : readCommandLine(name)
  if (target === undefined) {
    if ((stdio?.input ?? process.stdin) === process.stdin && process.stdin.isTTY) {
      console.error(`${name} waits for MCP messages on stdin; with --http it listens on a port`)
    }
    return serveStdio(server, stdio)
  }
  const { serveHttp } = await import('./http/runtime/serve-http.ts') // a stdio server never loads it
  const options = { ...http, ...target }
  const service = await serveHttp(server, options)
  if (!(await isChild(options))) console.error(`${name} listens on ${service.url.href}`)
  return service
}

/** Checks whether this is a child: of several processes, the first one prints for all. */
async function isChild({ processes }: ServeHttpOptions): Promise<boolean> {
  return processes !== undefined && (await import('node:cluster')).default.isWorker
}

/** Reads the command line; prints a mistake without a stack, and exits. */
function readCommandLine(name: string): HttpArguments | undefined {
  try {
    return readHttpArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`) // the only kind it throws
    process.exit(2)
  }
}

/** Where a command line asks to listen. */
interface HttpArguments {
  readonly port?: number
  readonly host?: string
  readonly path?: string
  readonly processes?: number | 'auto'
}

/**
 * Reads `--http`, `--http PORT` or `--http=PORT`, and `--port`, `--host`, `--path` and `--processes`; undefined without
 * `--http`. Other arguments are the program's own. Throws `invalid_definition` for an invalid number.
 */
export function readHttpArguments(args: readonly string[]): HttpArguments | undefined {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: {
      http: { type: 'boolean' }, // its value may be missing
      port: { type: 'string' },
      host: { type: 'string' },
      path: { type: 'string' },
      processes: { type: 'string' },
    },
    strict: false,
    tokens: true,
  })
  const { http, port = http, host, path, processes } = values
  if (http === undefined) return undefined
  const at = tokens.findIndex((token) => token.kind === 'option' && token.name === 'http')
  const next = tokens[at + 1]
  const follows = next?.kind === 'positional' && /^\d/.test(next.value) ? next.value : undefined
  const portText = port === true ? follows : port
  return {
    ...(portText !== undefined && { port: readPort(portText) }),
    ...(typeof host === 'string' && { host }),
    ...(typeof path === 'string' && { path }),
    ...(processes !== undefined && { processes: readProcesses(processes) }),
  }
}

function readPort(text: string | boolean): number {
  if (typeof text === 'string' && /^\d{1,5}$/.test(text) && Number(text) < 65_536) {
    return Number(text)
  }
  throw new McpError('invalid_definition', `--http ${String(text)} is not a port: use 0 to 65535`, {
    details: { feature: '--http' },
  })
}

function readProcesses(text: string | boolean): number | 'auto' {
  if (text === 'auto') return text
  const count = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= 1_024) return count
  const why = `--processes ${text === true ? '' : `${text} `}needs a number from 1 to 1024, or auto`
  throw new McpError('invalid_definition', why, { details: { feature: '--processes' } })
}

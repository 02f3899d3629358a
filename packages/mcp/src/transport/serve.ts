import { McpError } from '../rpc/mcp-error.ts'
import type { Service } from '../server/serve.ts'
import type { Server } from '../server/server.ts'
import { serveStdio, type StdioOptions } from './serve-stdio.ts'

export interface ServeAnyOptions {
  /** @defaultValue process.argv.slice(2) */
  readonly args?: readonly string[] | undefined
  readonly stdio?: StdioOptions | undefined
}

/** The whole program: speaks stdio to whoever started it. Logs to stderr. */
export async function serve<App>(
  server: Server<App, unknown>,
  { args = process.argv.slice(2), stdio }: ServeAnyOptions = {},
): Promise<Service> {
  if (args.includes('--http')) {
    throw new McpError('unsupported_runtime', '--http: this version serves stdio only', {
      details: { needs: 'an HTTP transport' },
    })
  }
  return serveStdio(server, stdio)
}

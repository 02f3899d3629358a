import { parseArgs } from 'node:util'

import { McpError } from '../rpc/errors/mcp-error.ts'

/** Where a command line asks to listen. */
export interface HttpArguments {
  readonly port?: number
  readonly host?: string
  readonly path?: string
}

/**
 * What `--http`, `--http PORT` or `--http=PORT` and its companions `--port`, `--host` and `--path` say; undefined without
 * it. Other arguments are the program's own. Throws `invalid_definition` for a port that is none.
 */
export function readHttpArguments(args: readonly string[]): HttpArguments | undefined {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: {
      http: { type: 'boolean' }, // its value may be missing
      port: { type: 'string' },
      host: { type: 'string' },
      path: { type: 'string' },
    },
    strict: false,
    tokens: true,
  })
  const { http, port = http, host, path } = values
  if (http === undefined) return undefined
  const at = tokens.findIndex((token) => token.kind === 'option' && token.name === 'http')
  const next = tokens[at + 1]
  const follows = next?.kind === 'positional' && /^\d/.test(next.value) ? next.value : undefined
  const said = port === true ? follows : port
  return {
    ...(said !== undefined && { port: readPort(said) }),
    ...(typeof host === 'string' && { host }),
    ...(typeof path === 'string' && { path }),
  }
}

function readPort(said: string | boolean): number {
  if (typeof said === 'string' && /^\d{1,5}$/.test(said) && Number(said) < 65_536) {
    return Number(said)
  }
  throw new McpError('invalid_definition', `${String(said)} is no port: --http PORT, up to 65535`, {
    details: { feature: '--http' },
  })
}

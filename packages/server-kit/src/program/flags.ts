import type { parseArgs } from 'node:util'

/** One option of a program: what `parseArgs` wants to know, and what people do. */
export interface Flag {
  /** A `boolean` stands alone, a `string` takes a value. */
  readonly type: 'boolean' | 'string'
  /** One letter, for `-x`. */
  readonly short?: string | undefined
  /** It may be given more than once. @defaultValue false */
  readonly multiple?: boolean | undefined
  /** What it is when it is not given. */
  readonly default?: string | boolean | string[] | boolean[] | undefined
  /** What `--help` says about it. */
  readonly about: string
  /** What stands for the value in `--help`. @defaultValue 'VALUE' */
  readonly value?: string | undefined
}
/** The options of a program, by name. */
export interface Flags {
  /** One option, by its name without dashes. */
  readonly [name: string]: Flag
}

/** What was given for each of a program's own options. */
export type FlagValues<Own extends Flags> = ReturnType<
  typeof parseArgs<{ options: { -readonly [Name in keyof Own]: Own[Name] } }>
>['values']

/** How callers may reach a server. */
export type ProgramTransport = (typeof programTransports)[number]
export const programTransports = ['stdio', 'http', 'sse', 'ws'] as const

/** The options every server has. */
export const commonFlags = {
  transport: { type: 'string', value: 'KIND', about: 'stdio (default), http, sse or ws' },
  http: { type: 'boolean', value: '[PORT]', about: 'short for --transport http --port PORT' },
  host: { type: 'string', value: 'ADDRESS', about: 'the address to listen on (default 127.0.0.1)' },
  port: {
    type: 'string',
    value: 'N',
    about: 'the port to listen on; 0 picks a free one (default 3000)',
  },
  path: {
    type: 'string',
    value: 'PATH',
    about: 'the path of the endpoint (default /mcp; with sse /)',
  },
  processes: {
    type: 'string',
    value: 'N',
    about: 'serve http or ws from N processes, or from one per core (auto)',
  },
  url: { type: 'string', value: 'URL', about: 'the public URL, behind a proxy' },
  'auth-token': {
    type: 'string',
    value: 'TOKEN',
    about: 'the bearer token that callers must send',
  },
  'allowed-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    about: 'also accept this host name, as in the Host header',
  },
  'allowed-origin': {
    type: 'string',
    multiple: true,
    value: 'ORIGIN',
    about: 'also accept web pages of this origin',
  },
  'read-only': { type: 'boolean', about: 'offer only tools that change nothing' },
  help: { type: 'boolean', short: 'h', about: 'show this help' },
  version: { type: 'boolean', about: 'show the version' },
} as const satisfies Flags

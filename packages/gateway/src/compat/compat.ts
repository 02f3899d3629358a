import type { BridgeOptions } from '../bridge/bridge-options.ts'
import { UsageError } from '../usage-error.ts'
import { readMcpProxy } from './mcp-proxy.ts'
import { readMcpRemote } from './mcp-remote.ts'
import { readSupergateway } from './supergateway.ts'

/** What the command line of another program means here. */
export interface CompatLine {
  readonly options: BridgeOptions
  /** Set if it signs in where the server asks for it. */
  readonly signIn?: CompatSignIn | undefined
  /** Print nothing but errors. */
  readonly isQuiet: boolean
  /** For people: what is different here. */
  readonly notes: readonly string[]
}

/** The client that signs in; all of it may be left to the server. */
export interface CompatSignIn {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
}

type Environment = { readonly [name: string]: string | undefined }

const readers = {
  supergateway: readSupergateway,
  'mcp-proxy': readMcpProxy,
  'mcp-remote': readMcpRemote,
} as const satisfies {
  readonly [name: string]: (args: readonly string[], env: Environment) => CompatLine
}

/** Programs whose flags are understood. */
export type CompatName = keyof typeof readers

/** The names that `--compat` takes. */
export const compatNames = Object.keys(readers) as readonly CompatName[] // its keys

/** Reads a command line as another program would. Throws `UsageError`. */
export function readCompat(name: string, args: readonly string[], env: Environment): CompatLine {
  if (!Object.hasOwn(readers, name)) {
    throw new UsageError(`--compat ${name} is unknown: use ${compatNames.join(', ')}`)
  }
  return readers[name as CompatName](args, env) // just looked up
}

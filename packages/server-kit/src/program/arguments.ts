import { parseArgs } from 'node:util'

import { errorMessage } from '@parley/mcp/json'

import { didYouMean } from './did-you-mean.ts'
import {
  commonFlags,
  programTransports,
  type Flags,
  type FlagValues,
  type ProgramTransport,
} from './flags.ts'
import { UsageError } from './usage-error.ts'

/** What the command line asks for. */
export type ReadArguments =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'serve'
      /** Of all options, the program's own and the common ones. */
      readonly values: { readonly [name: string]: unknown }
      readonly common: CommonValues
      readonly positionals: readonly string[]
      readonly transport: ProgramTransport
    }
export type CommonValues = FlagValues<typeof commonFlags>

/** Reads the arguments behind the program's name; throws `UsageError` at what it does not know. */
export function readArguments(
  args: readonly string[],
  own: Flags,
  allowPositionals: boolean,
): ReadArguments {
  const options = { ...mutable(own), ...mutable(commonFlags) }
  const { args: rest, port: httpPort } = takeHttpPort(args)
  rejectUnknown(rest, options)
  const { values, positionals } = parse(rest, options)
  if (values['help'] === true) return { kind: 'help' }
  if (values['version'] === true) return { kind: 'version' }
  if (!allowPositionals && positionals.length > 0) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(positionals[0])}.`)
  }
  const common: CommonValues = { ...values } // parsed by `commonFlags` among others
  if (httpPort !== undefined) common.port ??= httpPort
  return { kind: 'serve', values, common, positionals, transport: transportOf(common) }
}

type ParseOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

function parse(args: readonly string[], options: ParseOptions) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(errorMessage(error))
  }
}

/** `--http 3001`: a number right behind it is the port, anything else is not its business. */
function takeHttpPort(args: readonly string[]): {
  readonly args: readonly string[]
  readonly port?: string | undefined
} {
  const end = args.indexOf('--')
  const at = args.findIndex((arg) => arg === '--http' || arg.startsWith('--http='))
  if (at === -1 || (end !== -1 && at > end)) return { args }
  const inline = args[at]?.split('=', 2)[1]
  const next = args[at + 1]
  if (inline !== undefined) return { args: args.with(at, '--http'), port: inline }
  if (next === undefined || !/^\d{1,5}$/.test(next)) return { args }
  return { args: args.toSpliced(at + 1, 1), port: next }
}

function rejectUnknown(args: readonly string[], options: ParseOptions): void {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const shorts = new Set(Object.values(options).map(({ short }) => short))
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue
    if (shorts.has(token.name) && !token.rawName.startsWith('--')) continue
    const meant = didYouMean(token.name, Object.keys(options))
    const hint = meant === undefined ? '' : ` Did you mean --${meant}?`
    throw new UsageError(`Unknown option ${token.rawName}.${hint}`)
  }
}

function transportOf({ transport, http }: CommonValues): ProgramTransport {
  if (transport === undefined) return http === true ? 'http' : 'stdio'
  const existing = programTransports.find((candidate) => candidate === transport)
  if (existing === undefined) {
    throw new UsageError(
      `--transport must be stdio, http, sse or ws, not ${JSON.stringify(transport)}.`,
    )
  }
  if (http === true && existing === 'stdio') {
    throw new UsageError('--http and --transport stdio cannot be combined.')
  }
  return existing
}

/** What only `--help` shows is not for `parseArgs`, which refuses a member that is undefined. */
function mutable(flags: Flags): ParseOptions {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple, default: initial }]) => [
      name,
      {
        type,
        ...(short !== undefined && { short }),
        ...(multiple !== undefined && { multiple }),
        ...(initial !== undefined && { default: initial }),
      },
    ]),
  )
}

import type { HttpGuard } from '@parley/mcp/http'
import type { Server, Service } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'

import { readArguments, type CommonValues, type ReadArguments } from './arguments.ts'
import { commonFlags, type Flags, type FlagValues, type ProgramTransport } from './flags.ts'
import { listen } from './listen.ts'
import { UsageError } from './usage-error.ts'
import { describeUsage } from './usage.ts'
import { withoutWriting } from './without-writing.ts'

/** What makes a server a program. */
export interface ProgramOptions<Own extends Flags = Flags, App = unknown> {
  /** Without `parley-server-`; also names the variable `<NAME>_AUTH_TOKEN`. */
  readonly name: string
  /** What `--version` prints. */
  readonly version: string
  /** For `--help`: one sentence. */
  readonly summary: string
  /** The program's own options, besides the common ones. */
  readonly options?: Own | undefined
  /** Words without dashes, such as directories. @defaultValue refused */
  readonly positionals?: { readonly name: string; readonly about: string } | undefined
  /** What words without dashes say about the transport, for programs that name it so. */
  readonly transportOf?:
    | ((positionals: readonly string[]) => ProgramTransport | undefined)
    | undefined
  /** Where it listens when nothing is said. @defaultValue 3000 */
  readonly port?: number | undefined
  /** Makes out who calls at an address, where that is not by `--auth-token`. @defaultValue nobody is asked */
  readonly guard?:
    | ((run: ProgramRun<Own>, url: URL) => MaybeGuard | Promise<MaybeGuard>)
    | undefined
  /** Makes the server. What is wrong with the values is thrown as `UsageError`. */
  readonly create: (run: ProgramRun<Own>) => Server<App, unknown> | Promise<Server<App, unknown>>
}

type MaybeGuard = HttpGuard | undefined

/** What a program was started with. */
export interface ProgramRun<Own extends Flags = Flags> {
  /** The options by name. */
  readonly values: FlagValues<Own>
  /** Words without dashes, in order. */
  readonly positionals: readonly string[]
  /** How it is served. */
  readonly transport: ProgramTransport
  /** The tools that write are taken away by `runServer`; resources and the like are the server's own business. */
  readonly isReadOnly: boolean
  /** To standard error: standard output is the wire. */
  readonly log: (line: string) => void
}

/** What surrounds a program; of the process unless a test gives its own. */
export interface ProgramSurroundings {
  /** The command line. @defaultValue process.argv.slice(2) */
  readonly args?: readonly string[] | undefined
  /** Environment variables. @defaultValue process.env */
  readonly environment?: { readonly [name: string]: string | undefined } | undefined
  /** Where `--help` and `--version` go. @defaultValue standard output */
  readonly print?: ((text: string) => void) | undefined
  /** Where messages for people go. @defaultValue standard error */
  readonly log?: ((line: string) => void) | undefined
  /** Ends the program. @defaultValue process.exit */
  readonly exit?: ((status: number) => void) | undefined
  /** Drain and exit on SIGTERM and SIGINT, and when nothing is served any more. @defaultValue true */
  readonly ownsProcess?: boolean | undefined
}

/**
 * The whole program: reads the arguments, makes the server, serves it over what was asked for and drains it on SIGTERM
 * and SIGINT. Resolves when it serves; undefined when there was something to say instead.
 */
export async function runServer<const Own extends Flags = Record<never, never>, App = unknown>(
  options: ProgramOptions<Own, App>,
  surroundings: ProgramSurroundings = {},
): Promise<Service | undefined> {
  const {
    args = process.argv.slice(2),
    environment = process.env,
    print = (text) => console.log(text),
    log = (line) => console.error(line),
    exit = (status) => process.exit(status),
    ownsProcess = true,
  } = surroundings
  const usage = describeUsage({
    command: `parley-server-${options.name}`,
    summary: options.summary,
    flags: options.options ?? {},
    positionals: options.positionals,
  })

  try {
    rejectClashes(options)
    const read = readArguments(args, options.options ?? {}, options.positionals !== undefined)
    if (read.kind === 'serve') return await serve(options, read, { environment, log, ownsProcess })
    print(read.kind === 'help' ? usage : options.version)
  } catch (error) {
    log(error instanceof UsageError ? `${error.message}\n\n${usage}` : describeProblem(error))
    exit(1)
  }
  return undefined
}

async function serve<Own extends Flags, App>(
  { name, create, guard, port, transportOf }: ProgramOptions<Own, App>,
  read: Extract<ReadArguments, { kind: 'serve' }>,
  around: Required<Pick<ProgramSurroundings, 'environment' | 'ownsProcess'>> & {
    readonly log: (line: string) => void
  },
): Promise<Service> {
  const { common, positionals } = read
  const transport = agreeOnTransport(read, transportOf?.(positionals))
  const { environment = {}, log, ownsProcess } = around
  if (transport === 'stdio') rejectListening(common)
  const tokenVariable = `${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_AUTH_TOKEN`
  const token = common['auth-token'] ?? environment[tokenVariable]
  if (token?.trim() === '') throw new UsageError('The token must not be empty.')

  const isReadOnly = common['read-only'] === true
  const values = read.values as FlagValues<Own> // parsed by `options.options` among others
  const run = { values, positionals, transport, isReadOnly, log }
  const server = await create(run)
  if (isReadOnly) withoutWriting(server)
  if (transport === 'stdio') return serveStdio(server, { ownsProcess })
  const request = { transport, common, port, token, tokenVariable, ownsProcess }
  return listen(server, { ...request, guard: (url) => guard?.(run, url) }, log)
}

function agreeOnTransport(
  { common, transport }: Extract<ReadArguments, { kind: 'serve' }>,
  named: ProgramTransport | undefined,
): ProgramTransport {
  if (named === undefined) return transport
  const isSaid = common.transport !== undefined || common.http === true
  if (!isSaid || transport === named) return named
  throw new UsageError(`Both ${named} and ${transport} are given: use one of them.`)
}

/** Who names a port and forgets the transport waits for a server that listens nowhere. */
function rejectListening(common: CommonValues): void {
  const why = 'needs --transport http, sse or ws'
  if (common['auth-token'] !== undefined) {
    throw new UsageError(`--auth-token ${why}: stdio has no sign-in.`)
  }
  const names = [
    'host',
    'port',
    'path',
    'processes',
    'url',
    'allowed-host',
    'allowed-origin',
  ] as const
  const named = names.find((name) => common[name] !== undefined)
  if (named !== undefined) throw new UsageError(`--${named} ${why}: stdio does not listen.`)
}

/** A program cannot give another meaning to what all of them understand. */
function rejectClashes({ options = {} }: { readonly options?: Flags | undefined }): void {
  const clash = Object.keys(options).find((name) => Object.hasOwn(commonFlags, name))
  if (clash !== undefined) throw new TypeError(`every server has --${clash} already`)
}

function describeProblem(error: unknown): string {
  return error instanceof Error && error.name !== 'TypeError' ? error.message : String(error)
}

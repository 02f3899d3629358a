import { createProgressBar, safeText } from '@parley/foundation/terminal'
import { isMcpError, isRpcError, revisions, type Progress, type Revision } from '@parley/mcp'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'
import { errorMessage } from '@parley/mcp/json'

import type { CommandContext } from './command.ts'
import { CliError, describeFailure } from './exit.ts'
import type { CommonFlags } from './flags.ts'
import type { Io } from './io.ts'
import { createPrinter, type Printer } from './output/printer.ts'
import { rootsOf } from './target/roots.ts'
import { resolveTarget, type Target } from './target/target.ts'
import { openTrace } from './trace-file.ts'
import { version } from './version.ts'

/** A connection in use by a command. */
export interface Connection {
  readonly client: Client
  readonly target: Target
  readonly printer: Printer
  /** Takes the bar away, before something is printed. */
  endProgress(): void
  /** For the options of a call: a bar on the terminal, and the end when the user has had enough. */
  readonly call: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void }
}

/** Connects to the target of a command line, does the work, and closes whatever happens. */
export async function withServer<T>(
  word: string | undefined,
  flags: CommonFlags,
  context: CommandContext,
  work: (connection: Connection) => Promise<T>,
  more: ConnectOptions = {},
): Promise<T> {
  return withTarget(await resolveTarget(word, flags, context), flags, context, work, more)
}

/** The same for a target that is found already. */
export async function withTarget<T>(
  target: Target,
  flags: CommonFlags,
  context: CommandContext,
  work: (connection: Connection) => Promise<T>,
  more: ConnectOptions = {},
): Promise<T> {
  await using connection = await openConnection(target, flags, context, more)
  return await work(connection)
}

/** One that stays open until it is disposed. */
export async function openConnection(
  target: Target,
  flags: CommonFlags,
  context: CommandContext,
  more: ConnectOptions = {},
): Promise<Connection & AsyncDisposable> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const trace = await openTrace(flags.trace, target, io)
  const bar = createProgressBar(io.stderr)
  const isShown = mayDraw(io, flags) || flags.verbose === true
  let asking = 0
  const { elicit } = more

  const lastLines: string[] = []
  const client = await connect(target.entry, {
    ...connectOptions(target, flags, printer, io),
    auth: await authFor(target, context),
    ...more,
    // Who is asked something sees the question, and no bar over it.
    ...(elicit !== undefined && {
      async elicit(request, about) {
        asking += 1
        bar.done()
        try {
          return await elicit(request, about)
        } finally {
          asking -= 1
        }
      },
    }),
    ...trace?.hooks,
    onStderr: (line) => {
      trace?.hooks.onStderr?.(line)
      printer.detail(`| ${line}`)
      lastLines.push(line)
      if (lastLines.length > 20) lastLines.shift()
    },
  }).catch(async (error: unknown) => {
    await trace?.[Symbol.asyncDispose]()
    throw inOurWords(error, target, flags, lastLines)
  })
  trace?.setRevision(client.negotiated.revision)
  return {
    client,
    target,
    printer,
    endProgress: bar.done,
    call: {
      signal: io.signal,
      onProgress(progress: Progress) {
        if (isShown && asking === 0) bar.update(progress)
      },
    },
    async [Symbol.asyncDispose]() {
      bar.done()
      await client.close()
      await trace?.[Symbol.asyncDispose]()
    },
  }
}

/** Where we know better than the SDK what was meant. */
function inOurWords(
  error: unknown,
  target: Target,
  flags: CommonFlags,
  lastLines: readonly string[],
): unknown {
  if (isMcpError(error, 'timeout')) return tooLate(target, flags, lastLines)
  if (isRpcError(error) && describeFailure(error).code === 'error') {
    const hint = '`parley doctor` with the same target shows what is wrong.'
    return new CliError('unreachable', `${target.name} refused the connection: ${error.message}`, {
      hint,
      cause: error,
    })
  }
  if (target.definition === undefined || !isMcpError(error, 'spawn_failed')) return error
  const stderr = (error.details.stderr ?? '').replaceAll(/^error: /gm, '')
  return new CliError('unreachable', `${target.name} cannot be served`, { details: { stderr } })
}

/** Nobody cares which step of connecting it was; what the server said meanwhile may tell why. */
function tooLate(
  { name, connectMs }: Target,
  { timeout = connectMs }: CommonFlags,
  stderr: readonly string[],
): CliError {
  const limit = timeout === undefined ? 'in time' : `in ${timeout} ms`
  return new CliError('timeout', `${name} did not answer ${limit}`, {
    hint: 'Is it an MCP server? `parley doctor` with the same target shows more; --timeout 60s waits longer.',
    ...(stderr.length > 0 && { details: { stderr: stderr.join('\n') } }),
  })
}

/** Whether something may be drawn on the terminal and taken away again. */
export function mayDraw({ stderr, env }: Pick<Io, 'stderr' | 'env'>, flags: CommonFlags): boolean {
  const isTerminal = stderr.isTTY === true && !env['CI'] && env['TERM'] !== 'dumb'
  return isTerminal && flags.quiet !== true && flags.json !== true
}

/** What the flags of a command line mean for a client. */
export function connectOptions(
  target: Target,
  flags: CommonFlags,
  printer: Printer,
  { signal, cwd }: Pick<Io, 'signal' | 'cwd'>,
): ConnectOptions {
  const roots = rootsOf(target, flags, cwd)
  const { timeout: ms } = flags
  const requestMs = ms ?? target.requestMs
  return {
    info: { name: 'parley', version },
    protocolVersion: eraOf(flags.era ?? target.era),
    ...(roots.length > 0 && { roots }),
    reconnect: false,
    cache: false,
    timeouts: { connectMs: ms ?? target.connectMs, idleMs: requestMs, totalMs: ms },
    signal,
    onLog: ({ level, data }) =>
      printer.detail(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
    onDeprecated: () => undefined, // what a server asks for is not ours to choose
    onError: (error, { severity }) =>
      severity === 'error' || flags.verbose
        ? printer.note(`${severity}: ${safeText(errorMessage(error))}`)
        : undefined,
  }
}

/** What is there already; nobody is sent to a browser by a command that only reads or calls. */
export async function authFor(
  { entry, oauth }: Pick<Target, 'entry' | 'oauth'>,
  { io }: CommandContext,
): Promise<ConnectOptions['auth']> {
  if (!('url' in entry) || !/^https?:/i.test(entry.url)) return undefined
  const hasOwn = Object.keys(entry.headers ?? {}).some((name) => /^authorization$/i.test(name))
  if (hasOwn) return undefined
  const { knownSignIn } = await import('./sign-in/sign-in.ts')
  return knownSignIn(entry.url, oauth, io)
}

/** The era of a flag or an entry. */
export function eraOf(era: string | undefined): ConnectOptions['protocolVersion'] {
  if (era === undefined || era === 'auto' || era === 'legacy' || era === 'modern') return era
  if ((revisions as readonly string[]).includes(era)) return era as Revision // just looked up
  throw new CliError('error', `--era ${era} is unknown`, {
    hint: `Use auto, legacy, modern, ${revisions.join(', ')}.`,
  })
}

import { createProgressBar, safeText } from '@parley/foundation/terminal'
import { revisions, type Progress, type Revision } from '@parley/mcp'
import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'

import type { CommandContext } from './command.ts'
import { CliError } from './exit.ts'
import type { CommonFlags } from './flags.ts'
import { createPrinter, type Printer } from './output/printer.ts'
import { resolveTarget, type Target } from './target/target.ts'
import { openTrace } from './trace-file.ts'
import { version } from './version.ts'

/** A connection in use by a command. */
export interface Connection {
  readonly client: Client
  readonly target: Target
  readonly printer: Printer
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
  const { io } = context
  const printer = createPrinter(io, flags)
  await using trace = await openTrace(flags.trace, target, io)
  const bar = createProgressBar(io.stderr)
  const mayDraw = io.stderr.isTTY === true && flags.quiet !== true && flags.json !== true
  const isShown = mayDraw || flags.verbose === true

  const client = await connect(target.entry, {
    ...connectOptions(target, flags, printer, io.signal),
    auth: await authFor(target, context),
    ...more,
    ...trace?.hooks,
    onStderr: (line) => {
      trace?.hooks.onStderr?.(line)
      printer.detail(`| ${line}`)
    },
  })
  trace?.setRevision(client.negotiated.revision)
  try {
    const call = {
      signal: io.signal,
      onProgress: (progress: Progress) => (isShown ? bar.update(progress) : undefined),
    }
    return await work({ client, target, printer, call })
  } finally {
    bar.done()
    await client.close()
  }
}

function connectOptions(
  target: Target,
  flags: CommonFlags,
  printer: Printer,
  signal: AbortSignal,
): ConnectOptions {
  const roots = [...target.roots, ...(flags.root ?? [])]
  const { timeout: ms } = flags
  const requestMs = ms ?? target.requestMs
  return {
    info: { name: 'parley', version },
    era: eraOf(flags.era ?? target.era),
    ...(roots.length > 0 && { roots }),
    reconnect: false,
    cache: false,
    timeouts: { connectMs: ms ?? target.connectMs, idleMs: requestMs, totalMs: ms },
    signal,
    onLog: ({ level, data }) =>
      printer.detail(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
    onError: (error, { severity }) =>
      severity === 'error' || flags.verbose
        ? printer.note(
            `${severity}: ${safeText(error instanceof Error ? error.message : String(error))}`,
          )
        : undefined,
  }
}

/** What is there already; nobody is sent to a browser by a command that only reads or calls. */
async function authFor(
  { entry, oauth }: Target,
  { io }: CommandContext,
): Promise<ConnectOptions['auth']> {
  if (!('url' in entry) || !/^https?:/i.test(entry.url)) return undefined
  const hasOwn = Object.keys(entry.headers ?? {}).some((name) => /^authorization$/i.test(name))
  if (hasOwn) return undefined
  const { knownSignIn } = await import('./sign-in/sign-in.ts')
  return knownSignIn(entry.url, oauth, io)
}

function eraOf(era: string | undefined): ConnectOptions['era'] {
  if (era === undefined || era === 'auto' || era === 'legacy' || era === 'modern') return era
  if ((revisions as readonly string[]).includes(era)) return era as Revision // just looked up
  throw new CliError('error', `--era ${era} is not known`, {
    hint: `Use auto, legacy, modern, ${revisions.join(', ')}.`,
  })
}

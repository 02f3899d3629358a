/**
 * `parley bridge`: makes a source and a target of the words of the command line, and serves until it is ended. Leaves all traffic to the
 * bridge of `@parley/gateway`, and signing in to the stored sign-ins of the command line.
 */

import type { BridgeOptions, BridgeSource, BridgeTarget } from '@parley/gateway/bridge'
import { isLoopbackAddress } from '@parley/mcp/address'
import { errorMessage } from '@parley/mcp/json'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { eraOf } from '../connection.ts'
import { CliError } from '../exit.ts'
import {
  addOutputFlags,
  collect,
  portNumber,
  positiveInteger,
  readHeader,
  readPair,
} from '../flags.ts'
import { loadTelemetry } from '../gateway/load-telemetry.ts'
import { createPrinter, type Printer } from '../output/printer.ts'

interface BridgeFlags {
  readonly to?: string
  readonly http?: string
  readonly sse?: string
  readonly ws?: string
  readonly port?: number
  readonly host?: string
  readonly path?: string
  readonly url?: string
  readonly allowAnonymous?: boolean
  readonly origin?: readonly string[]
  readonly health?: string
  readonly mode?: string
  readonly sessionTimeout?: string
  readonly startTimeout?: string
  readonly maxAge?: string
  readonly maxChildren?: number
  readonly maxMemory?: string
  readonly maxMessage?: string
  readonly header?: readonly string[]
  readonly oauth?: boolean
  readonly open?: boolean
  readonly env?: readonly string[]
  readonly cwd?: string
  readonly era?: string
  readonly telemetry?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly color?: boolean
}

/** `parley bridge` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'bridge',
    'Serves a server on another transport: a command over HTTP, SSE or WebSocket, or a URL over stdio or HTTP.',
    [
      ['parley bridge --port 8000 -- node server.js', 'at http://127.0.0.1:8000/mcp'],
      ['parley bridge https://example.com/mcp --oauth', 'for clients that only start commands'],
      [
        'parley bridge --to http --port 8000 --sse http://127.0.0.1:9000/sse',
        'an old server for new clients',
      ],
    ],
  )
  command
    .argument('[url]', '')
    .usage('[url] [options] [-- command]')
    .optionsGroup('The server:')
    .option('--http <url>', 'a server at this address')
    .option('--sse <url>', 'the same, with HTTP+SSE of 2024-11-05')
    .option('--ws <url>', 'the same, with WebSocket')
    .option('-H, --header <line>', 'a header for it, "Name: value"; may be repeated', collect)
    .option('--oauth', 'sign in to it where it asks for that; kept for the next start')
    .option('--no-open', 'print the address of the sign-in instead of opening a browser')
    .option('-e, --env <pair>', 'a variable for the command, NAME=value; may be repeated', collect)
    .option('--cwd <folder>', 'the working directory of the command')
    .option('--era <era>', 'auto, legacy, modern, or a revision such as 2025-06-18')
    .option('--start-timeout <time>', 'how long it may take to answer first', '30s')
    .optionsGroup('Clients:')
    .option(
      '--to <transport>',
      'http, sse, ws or stdio; http for a command, stdio for a URL unless you say',
    )
    .option('--port <number>', 'the port to listen on; 0 picks a free one', portNumber, 3000)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--path <path>', 'the path of the endpoint: /mcp; / for sse, which adds /sse')
    .option('--url <url>', 'the public address, to listen on anything but loopback')
    .option('--allow-anonymous', 'allow unauthenticated callers on a public address')
    .option('--health <path>', 'a path that is answered while the bridge runs', '/healthz')
    .option('--origin <origin>', 'a page that may call; may be repeated', collect)
    .option('--mode <mode>', 'who shares a child: per-session, per-user or shared', 'per-session')
    .option('--session-timeout <time>', 'an unused session ends after this long', '30m')
    .optionsGroup('Limits:')
    .option(
      '--max-children <number>',
      'children, or sessions with remote servers, at once',
      positiveInteger,
      100,
    )
    .option('--max-age <time>', 'a child is replaced at this age', '24h')
    .option('--max-memory <size>', 'a child that holds more is ended, for example 512M')
    .option('--max-message <size>', 'the longest message of the server', '64M')
    .optionsGroup('')
    .option('--telemetry', 'tell OpenTelemetry of every request; needs @parley/telemetry')
    .option('-v, --verbose', 'show what the server writes to standard error, and warnings')
  return addOutputFlags(command).action((url: string | undefined, flags: BridgeFlags) =>
    bridge({ ...flags, ...addressOf(url) }, context),
  )
}

async function bridge(flags: BridgeFlags, context: CommandContext): Promise<void> {
  const { readBytes, readDuration } = await import('@parley/gateway/bridge')
  const requestedTarget = flags.to === undefined ? undefined : targetOf(flags.to)
  const from = sourceOf(flags, context)
  const to = requestedTarget ?? ('url' in from ? 'stdio' : 'http')
  requireSafety(flags)
  const { sessionTimeout = '30m', startTimeout = '30s', maxAge = '24h', maxMessage = '64M' } = flags
  const options = usage((): BridgeOptions => ({
    from,
    to,
    mode: modeOf(flags.mode),
    port: flags.port,
    host: flags.host,
    path: flags.path,
    url: flags.url,
    allowAnonymous: flags.allowAnonymous,
    origins: flags.origin,
    health: flags.health,
    protocolVersion: eraOf(flags.era),
    sessionTimeoutMs: readDuration(sessionTimeout, '--session-timeout'),
    startTimeoutMs: readDuration(startTimeout, '--start-timeout'),
    maxAgeMs: readDuration(maxAge, '--max-age'),
    maxConnections: flags.maxChildren,
    messageBytes: readBytes(maxMessage, '--max-message'),
    ...(flags.maxMemory !== undefined && {
      memoryBytes: readBytes(flags.maxMemory, '--max-memory'),
    }),
  }))
  const isSigned = flags.oauth === true && 'url' in from
  const target = isSigned ? await signedIn(from, { mayOpen: flags.open !== false }, context) : from
  const observer = flags.telemetry ? await loadTelemetry({}) : undefined
  await run({ ...options, from: target, observer }, createPrinter(context.io, flags), context)
}

/** Serves until the client leaves, or the user has had enough. */
async function run(
  options: BridgeOptions,
  printer: Printer,
  { io }: CommandContext,
): Promise<void> {
  const { startBridge } = await import('@parley/gateway/bridge')
  await using running = await startBridge({
    ...options,
    onStderr: (line) => printer.detail(`| ${line}`),
    onError: (error, { severity, operation }) => {
      const what = errorMessage(error)
      const where = operation === undefined ? '' : ` (${operation})`
      const line = `${severity}: ${what}${where}`
      if (severity === 'error') printer.note(line)
      else printer.detail(line)
    },
  })
  if (running.url !== undefined) {
    if (printer.isJson) printer.jsonLine({ event: 'ready', url: running.url.href })
    else printer.note(`listens on ${running.url.href}`)
  }
  const stopped = new Promise<void>((resolve) => {
    if (io.signal.aborted) resolve()
    io.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([running.closed, stopped])
}

function sourceOf(flags: BridgeFlags, { serverCommand, io }: CommandContext): BridgeSource {
  const addresses = (['http', 'sse', 'ws'] as const).flatMap((type) =>
    flags[type] === undefined ? [] : [{ type, url: flags[type] }],
  )
  const [address] = addresses
  const isCommand = serverCommand !== undefined && serverCommand.length > 0
  if (addresses.length + (isCommand ? 1 : 0) !== 1) {
    throw new CliError(
      'error',
      addresses.length === 0
        ? 'no server given'
        : 'more than one server was given; a bridge has one',
      { hint: 'Put a command after --, or write its URL: parley bridge https://example.com/mcp' },
    )
  }
  if (address !== undefined) {
    const { type, url } = address
    const headers = Object.fromEntries((flags.header ?? []).map(readHeader))
    return { url, headers, ...(type !== 'http' && { type }) }
  }
  const useless = flags.header ? '--header' : flags.oauth ? '--oauth' : undefined
  if (useless) throw new CliError('error', `${useless} has no effect: a command has no address`)
  const [command = '', ...args] = serverCommand ?? []
  const env = Object.fromEntries((flags.env ?? []).map((pair) => readPair(pair, '--env')))
  return { command, args, env, cwd: flags.cwd ?? io.cwd }
}

/** A URL that is a word has the flag of its scheme. */
function addressOf(url: string | undefined): Pick<BridgeFlags, 'http' | 'ws'> {
  if (url === undefined) return {}
  return /^wss?:/i.test(url) ? { ws: url } : { http: url }
}

function targetOf(to: string): BridgeTarget {
  if (to === 'http' || to === 'sse' || to === 'ws' || to === 'stdio') return to
  throw new CliError('error', `--to ${to} is unknown: use http, sse, ws or stdio`)
}

/** Nothing is public by accident. */
function requireSafety({ host = '127.0.0.1', url, allowAnonymous }: BridgeFlags): void {
  if (isLoopbackAddress(host) || (url !== undefined && allowAnonymous)) return
  throw new CliError('error', `listening on ${host} needs --url and --allow-anonymous`, {
    hint: 'For example --url https://mcp.example.com/mcp --allow-anonymous. Known callers need a program with a guard.',
  })
}

function modeOf(mode = 'per-session'): BridgeOptions['mode'] {
  if (mode === 'shared' || mode === 'per-session' || mode === 'per-user') return mode
  throw new CliError('error', `--mode ${mode} is unknown: use shared, per-session or per-user`)
}

interface SignInClient {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** A browser may be opened. @defaultValue true */
  readonly mayOpen?: boolean | undefined
}

/** Signs in as `parley auth login` does, and keeps what is given for the next start. */
async function signedIn(
  from: BridgeSource,
  client: SignInClient,
  { io }: CommandContext,
): Promise<BridgeSource> {
  if (!('url' in from)) return from
  const { createSignIn } = await import('../sign-in/sign-in.ts')
  const { showSignInPage } = await import('../sign-in/sign-in-page.ts')
  const { clientId, clientSecret, mayOpen = true } = client
  const auth = await createSignIn(from.url, io, {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    open: (page) => showSignInPage(page, io, mayOpen),
  })
  return { ...from, auth }
}

/** What is wrong with the line, in the words of a command. */
function usage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'UsageError') throw error
    const { hint } = error as { readonly hint?: string | undefined } // it has one, or none
    throw new CliError('error', error.message, hint === undefined ? {} : { hint })
  }
}

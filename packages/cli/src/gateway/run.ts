/**
 * `parley gateway run`: reads the file, starts the gateway and its page, reloads when the file changes or SIGHUP comes, and drains at
 * the end. Leaves reading to `gateway-file.ts`, lines of the log to `output/service-log.ts`, and all traffic to `@parley/gateway`.
 */

import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'

import { stateFolder } from '@parley/foundation/secrets'
import type {
  Gateway,
  GatewayConfig,
  GatewayDifference,
  GatewayOptions,
  GatewayPage,
  PageSettings,
  UpstreamState,
  watchFiles as WatchFiles,
} from '@parley/gateway'
import { errorMessage } from '@parley/mcp/json'
import { Option, type Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, collect, portNumber } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { createServiceLog, type ServiceLog } from '../output/service-log.ts'
import {
  loadGatewayFile,
  problemsTo,
  requireGatewayFile,
  type GatewayFileFlags,
} from './gateway-file.ts'
import { loadGatewayTelemetry } from './load-telemetry.ts'

interface RunFlags extends GatewayFileFlags {
  readonly config?: string
  readonly port?: number
  readonly host?: string
  readonly stdio?: boolean
  readonly profile?: string
  readonly page?: number | true
}

/** `parley gateway run` */
export function buildRun({ io }: CommandContext): Command {
  const command = newCommand('run', 'Serves all servers of a file at one address.', [
    ['parley gateway gateway.yaml', 'where the file says, else on port 3000'],
    ['parley gateway mcp.json --port 8080', 'a file with mcpServers, as it is'],
    ['parley gateway gateway.yaml --profile dev --stdio', 'a part, over stdio'],
    ['parley gateway gateway.yaml --page 8081', 'with a page to look at it'],
  ])
    .addOption(new Option('--config <file>').hideHelp()) // the file is a word now
    .option('--port <number>', 'the port to listen on; 0 picks a free one', portNumber)
    .option('--host <address>', 'the address to listen on; without auth only loopback')
    .option('--stdio', 'serve over stdio')
    .option('--profile <name>', 'only what this profile of the file has')
    .option(
      '--page [port]',
      'open its page on a port of loopback; a link to it is printed',
      portNumber,
    )
    .option('--input <pair>', 'an answer to a question of the file, id=value', collect)
    .option('-v, --verbose', 'show what servers write to standard error, and warnings')
  return addOutputFlags(command)
    .argument('[file]', 'the servers and what else the gateway should know')
    .action((file: string | undefined, flags: RunFlags) =>
      run({ ...flags, ...(file !== undefined && { config: file }) }, io),
    )
}

async function run({ config: file, ...flags }: RunFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  // Whether standard output belongs to the protocol is known only when the file has been read.
  const first = createServiceLog(io, flags, { to: 'stdio' })
  const report = printer.isJson ? problemsTo(first) : printer
  const config = await requireGatewayFile(file, flags, io, report)
  const { gatewayOptions } = await import('@parley/gateway')
  const options = usage(() => gatewayOptions(config, flags.profile))
  const to = flags.stdio ? 'stdio' : (options.to ?? 'http')
  const log = createServiceLog(io, flags, { to })
  const running: Running = { started: config, config, options: { ...options, to }, flags, io, log }
  try {
    await serve(running)
  } finally {
    await endAudit(running.config)
  }
}

/** A gateway that runs, with what it was started with and what it uses now. */
interface Running {
  readonly started: GatewayConfig
  config: GatewayConfig
  readonly options: GatewayOptions
  readonly flags: Omit<RunFlags, 'config'>
  readonly io: Io
  readonly log: ServiceLog
  /** Set while it has a page. */
  page?: GatewayPage | undefined
}

/** Serves until the client leaves, somebody drains it, or the user has had enough. */
async function serve(running: Running): Promise<void> {
  const { config, options, flags, io, log } = running
  const { openCluster, startControl, startGateway, watchFiles } = await import('@parley/gateway')
  const { to } = options
  await using gateway = await startGateway({
    ...options,
    ...(config.cluster && to === 'http' && { cluster: await openCluster(config.cluster) }),
    ...(config.telemetry && (await loadGatewayTelemetry(config.telemetry))),
    port: flags.port ?? options.port,
    host: flags.host ?? options.host,
    ...listeners(log),
  })
  const stopping = new AbortController()
  io.signal.addEventListener('abort', () => stopping.abort(), { once: true })
  if (io.signal.aborted) stopping.abort()
  const reload = async (): Promise<ReloadReport> => {
    const report = await reloadFrom(running, gateway, replacePage)
    watching.follow(running.config.files)
    return report
  }
  const replacePage = async (): Promise<void> => {
    await running.page?.close()
    running.page = undefined
    running.page = await openPage(running, gateway, reload)
  }
  running.page = await openPage(running, gateway, reload).catch((error: unknown) => {
    throw new CliError('error', `the page cannot be opened: ${flat(errorMessage(error))}`)
  })
  await using _ = { [Symbol.asyncDispose]: async () => running.page?.close() }
  await using control = await startControl({
    gateway,
    file: config.file,
    folder: stateFolder({ env: io.env }),
    reload,
    drain: () => stopping.abort(),
    pageLink: () => running.page?.createEntryUrl().href,
  }).catch((error: unknown) => {
    const why = `status, reload and drain cannot reach this gateway: ${flat(errorMessage(error))}`
    log.write('warning', 'control', why)
    return undefined
  })
  if (control) log.write('debug', 'control', `commands reach it at ${control.url.href}`)
  using watching = reloadOnChange(
    config,
    io,
    watchFiles,
    () => void reload().catch(() => undefined),
  ) // the log has it
  if (gateway.url !== undefined) {
    const url = gateway.url.href
    log.write('info', 'ready', `listens on ${url}`, {}, { url })
  }
  reportPage(running)
  const stopped = new Promise<void>((resolve) => {
    if (stopping.signal.aborted) resolve()
    stopping.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([gateway.closed, stopped])
}

/** The page that the file wants now, with the port of the command line; undefined where it wants none. */
async function openPage(
  running: Running,
  gateway: Gateway,
  reload: () => Promise<ReloadReport>,
): Promise<GatewayPage | undefined> {
  const { config, flags, io, log } = running
  const { page: port } = flags
  const settings: PageSettings | undefined =
    port === undefined ? config.page : { ...config.page, ...(port !== true && { port }) }
  if (settings === undefined) return undefined
  const { startGatewayPage } = await import('@parley/gateway')
  return startGatewayPage({
    ...settings,
    gateway,
    config: () => running.config,
    load: () => loadGatewayFile(config.file, flags, io),
    reload,
    onOperation: (text) => log.write('info', 'operation', flat(text)),
  })
}

/** The link is good for one browser. `parley gateway page FILE` prints another. */
function reportPage({ page, log }: Running): void {
  const url = page?.createEntryUrl().href
  if (url !== undefined) log.write('info', 'page', `page: ${url} (for one browser)`, {}, { url })
}

/** Writes what is queued. */
async function endAudit({ audit }: GatewayConfig): Promise<void> {
  await audit?.[Symbol.asyncDispose]()
}

/** What a reload has changed. */
interface ReloadReport extends GatewayDifference {
  /** Sections of the file that are in force now. */
  readonly applied: readonly string[]
  /** Sections that differ from those the gateway was started with, and need another start. */
  readonly restart: readonly string[]
}

/** Takes over the file as it is now. One with errors changes nothing. */
async function reloadFrom(
  running: Running,
  gateway: Gateway,
  replacePage: () => Promise<void>,
): Promise<ReloadReport> {
  const { changedSections, gatewayOptions, needingRestart } = await import('@parley/gateway')
  const { config: before, started, flags, io, log } = running
  try {
    const config = await requireGatewayFile(before.file, flags, io, problemsTo(log))
    const changed = changedSections(before, config)
    const { auth, signInClient, ...options } = usage(() => gatewayOptions(config, flags.profile))
    // The same section is another guard each time it is read, which would end every stream.
    const callers = changed.includes('auth') && { auth, signInClient }
    const difference = gateway.reload({ ...options, ...callers })
    running.config = config
    await endAudit(before)
    const applied = changed.filter((name) => !config.operated.startSections.includes(name))
    const restart = needingRestart(started, config)
    const report = { ...difference, applied, restart }
    log.write('info', 'reload', `reloaded: ${describeReport(report)}`, {}, { ...report })
    if (restart.length > 0) {
      const what = flat(restart.join(', '))
      log.write('warning', 'restart', `${what} changed: start the gateway again to use it`)
    }
    if (changed.includes('page')) {
      await replacePage()
      reportPage(running)
    }
    return report
  } catch (error) {
    const why = flat(errorMessage(error))
    log.write(
      'error',
      'reload',
      `reload failed: ${why}. The gateway keeps its current configuration`,
    )
    throw error
  }
}

function describeReport({ added, removed, changed, applied }: ReloadReport): string {
  const rest = applied.filter((name) => !['servers', 'mcpServers'].includes(name))
  const parts = Object.entries({ added, removed, 'started again': changed, 'in force': rest })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${names.join(', ')} ${what}`)
  return parts.length === 0 ? 'nothing has changed' : parts.join('; ')
}

/** When a file is written, and with SIGHUP; in a terminal, and on Windows, that means that the window was closed. */
function reloadOnChange(
  { files }: GatewayConfig,
  { stdin }: Io,
  watchFiles: typeof WatchFiles,
  reload: () => void,
): Disposable & { follow(files: readonly string[]): void } {
  let followed = files
  let watching = watchFiles(files, reload)
  if (stdin.isTTY !== true && process.platform !== 'win32') process.on('SIGHUP', reload)
  return {
    /** A reload may name other files. */
    follow(next) {
      if (isDeepStrictEqual(next, followed)) return
      watching[Symbol.dispose]()
      followed = next
      watching = watchFiles(next, reload)
    },
    [Symbol.dispose]() {
      process.off('SIGHUP', reload)
      watching[Symbol.dispose]()
    },
  }
}

function listeners(
  log: ServiceLog,
): Pick<GatewayOptions, 'onState' | 'onStderr' | 'onWarning' | 'onError'> {
  return {
    onWarning: (text) => log.write('warning', 'lists', flat(text)),
    onState(server, state) {
      const level = state.state === 'failed' || state.state === 'backing-off' ? 'warning' : 'info'
      log.write(level, 'state', describeState(state), { server }, { ...state })
    },
    onStderr: (server, line) => log.write('debug', 'stderr', flat(line), { server }),
    onError(error, { severity, operation, correlationId }) {
      const text = `${operation === undefined ? '' : `${operation}: `}${flat(errorMessage(error))}`
      // A warning is about work that went on.
      const level = severity === 'error' ? 'error' : 'debug'
      log.write(level, severity, text, { request: correlationId })
    },
  }
}

function describeState(state: UpstreamState): string {
  switch (state.state) {
    case 'backing-off':
    case 'failed': {
      const seconds = Math.max(1, Math.round((state.nextAt - Date.now()) / 1_000))
      const word = state.state === 'failed' ? 'failed' : 'cannot be reached'
      return `${word}: ${flat(state.cause).replace(/\.$/, '')}. It is tried again in ${seconds} s.`
    }
    case 'degraded':
      return `was lost: ${flat(state.cause)}`
    case 'starting':
    case 'ready':
    case 'disabled':
      return state.state
  }
}

/** What is wrong with the line, in the words of a command. */
function usage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && error.name === 'UsageError') {
      throw new CliError('error', error.message)
    }
    throw error
  }
}

import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'

import { stateFolder } from '@parley/foundation/secrets'
import type {
  Gateway,
  GatewayConfig,
  GatewayDifference,
  GatewayOptions,
  PageSettings,
  UpstreamState,
  watchFiles as WatchFiles,
} from '@parley/gateway'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, collect, portNumber } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { loadGatewayFile, requireGatewayFile, type GatewayFileFlags } from './gateway-file.ts'
import { loadTelemetry } from './load-telemetry.ts'

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
    ['parley gateway run --config gateway.yaml', 'where the file says, else on port 3000'],
    ['parley gateway run --config mcp.json --port 8080', 'a file with mcpServers, as it is'],
    ['parley gateway run --config gateway.yaml --profile dev --stdio', 'a part, over stdio'],
    ['parley gateway run --config gateway.yaml --page 8081', 'with a page to look at it'],
  ])
    .option('--config <file>', 'the servers and what else the gateway should know')
    .option('--port <number>', 'the port to listen on; 0 picks a free one', portNumber)
    .option('--host <address>', 'the address to listen on; without auth only loopback')
    .option('--stdio', 'serve whoever starts this command, over standard input and output')
    .option('--profile <name>', 'only what this profile of the file has')
    .option(
      '--page [port]',
      'open its page on a port of loopback; a link to it is printed',
      portNumber,
    )
    .option('--input <pair>', 'an answer to a question of the file, id=value', collect)
    .option('-v, --verbose', 'show what servers write to standard error, and warnings')
  return addOutputFlags(command).action((flags: RunFlags) => run(flags, io))
}

async function run({ config: file, ...flags }: RunFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  const config = await requireGatewayFile(file, flags, io, printer)
  const used: Used = { config, served: config.profiles }
  try {
    await serve(used, flags, io, printer)
  } finally {
    await endAudit(used.config)
  }
}

/** Serves until the client leaves, somebody drains it, or the user has had enough. */
async function serve(used: Used, flags: RunFlags, io: Io, printer: Printer): Promise<void> {
  const { config } = used
  const { gatewayOptions, openCluster, startControl, startGateway, startGatewayPage, watchFiles } =
    await import('@parley/gateway')
  const options = usage(() => gatewayOptions(config, flags.profile))
  const to = flags.stdio ? 'stdio' : (options.to ?? 'http')
  await using gateway = await startGateway({
    ...options,
    ...(config.cluster && to === 'http' && { cluster: await openCluster(config.cluster) }),
    ...(config.telemetry && { observer: await loadTelemetry(config.telemetry) }),
    to,
    port: flags.port ?? options.port,
    host: flags.host ?? options.host,
    ...listeners(printer, to),
  })
  const stopping = new AbortController()
  io.signal.addEventListener('abort', () => stopping.abort(), { once: true })
  if (io.signal.aborted) stopping.abort()
  const reload = (): Promise<GatewayDifference> => reloadFrom(used, gateway, flags, io, printer)
  const page = pageSettings(flags, config)
  await using opened =
    page &&
    (await startGatewayPage({
      ...page,
      gateway,
      config: () => used.config,
      load: () => loadGatewayFile(config.file, flags, io),
      reload,
      onOperation: (text) => printer.note(flat(text)),
    }).catch((error: unknown) => {
      throw new CliError('error', `the page cannot be opened: ${flat(messageOf(error))}`)
    }))
  await using control = await startControl({
    gateway,
    file: config.file,
    folder: stateFolder({ env: io.env }),
    reload,
    drain: () => stopping.abort(),
    pageLink: () => opened?.createEntryUrl().href,
  }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    printer.note(`status, reload and drain cannot reach this gateway: ${flat(why)}`)
    return undefined
  })
  if (control) printer.detail(`commands reach it at ${control.url.href}`)
  using _ = reloadOnChange(config, io, watchFiles, () => void reload().catch(() => undefined)) // it was told
  if (gateway.url !== undefined) {
    if (printer.isJson) printer.jsonLine({ event: 'ready', url: gateway.url.href })
    else printer.note(`listens on ${gateway.url.href}`)
  }
  if (opened) tellPage(opened.createEntryUrl().href, to, printer)
  const stopped = new Promise<void>((resolve) => {
    if (stopping.signal.aborted) resolve()
    stopping.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([gateway.closed, stopped])
}

/** What the file says, with the port of the command line. */
function pageSettings({ page }: RunFlags, config: GatewayConfig): PageSettings | undefined {
  if (page === undefined) return config.page
  return { ...config.page, ...(page !== true && { port: page }) }
}

/** The link is good for one browser. `parley gateway page FILE` prints another. */
function tellPage(url: string, to: 'http' | 'stdio', printer: Printer): void {
  if (printer.isJson && to === 'http') printer.jsonLine({ event: 'page', url })
  else printer.note(`page: ${url} (for one browser)`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The configuration that is in use now. */
interface Used {
  config: GatewayConfig
  /** The profiles that have a path. */
  readonly served: GatewayConfig['profiles']
}

/** Writes what is queued. */
async function endAudit({ audit }: GatewayConfig): Promise<void> {
  await audit?.[Symbol.asyncDispose]()
}

/** Takes over the file as it is now. One with errors changes nothing. */
async function reloadFrom(
  used: Used,
  gateway: Gateway,
  flags: RunFlags,
  io: Io,
  printer: Printer,
): Promise<GatewayDifference> {
  const { gatewayOptions } = await import('@parley/gateway')
  const { config: before } = used
  try {
    const config = await requireGatewayFile(before.file, flags, io, printer)
    const difference = gateway.reload(usage(() => gatewayOptions(config, flags.profile)))
    used.config = config
    await endAudit(before)
    if (printer.isJson && gateway.url) printer.jsonLine({ event: 'reload', ...difference })
    else printer.note(`reloaded: ${describeDifference(difference)}`)
    if (!isDeepStrictEqual(config.listen, before.listen)) {
      printer.note('listen has changed: start the gateway again to use it')
    }
    for (const part of ['cluster', 'telemetry'] as const) {
      if (isDeepStrictEqual(config[part], before[part])) continue
      printer.note(`${part} has changed: start the gateway again to use it`)
    }
    const added = Object.keys(config.profiles).filter((name) => !Object.hasOwn(used.served, name))
    if (added.length > 0 && flags.profile === undefined) {
      printer.note(`new profiles: start the gateway again to use ${flat(added.join(', '))}`)
    }
    return difference
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    io.stderr.write(`not reloaded: ${flat(why)}; the gateway goes on as it was\n`)
    throw error
  }
}

function describeDifference({ added, removed, changed }: GatewayDifference): string {
  const parts = Object.entries({ added, removed, 'started anew': changed })
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${names.join(', ')} ${what}`)
  return parts.length === 0 ? 'all servers stay as they are' : parts.join('; ')
}

/** When a file is written, and with SIGHUP; in a terminal that means that the terminal was closed. */
function reloadOnChange(
  { files }: GatewayConfig,
  { stdin }: Io,
  watchFiles: typeof WatchFiles,
  reload: () => void,
): Disposable {
  const watching = watchFiles(files, reload)
  if (stdin.isTTY !== true) process.on('SIGHUP', reload)
  return {
    [Symbol.dispose]() {
      process.off('SIGHUP', reload)
      watching[Symbol.dispose]()
    },
  }
}

/** What happens is told as it happens; over stdio, standard output belongs to the protocol. */
function listeners(
  printer: Printer,
  to: 'http' | 'stdio',
): Pick<GatewayOptions, 'onState' | 'onStderr' | 'onError'> {
  return {
    onState(server, state) {
      if (printer.isJson && to === 'http') printer.jsonLine({ event: 'state', server, ...state })
      else printer.note(`${server}: ${describeState(state)}`)
    },
    onStderr: (server, line) => printer.detail(`${server} | ${line}`),
    onError(error, { severity, operation }) {
      const what = error instanceof Error ? error.message : String(error)
      printer.detail(`${severity}: ${operation === undefined ? '' : `${operation}: `}${flat(what)}`)
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

import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { ConfiguredServer, InspectorOptions } from '@parley/inspector'
import { Option, type Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, portNumber, type CommonFlags } from '../flags.ts'
import { openCatalogueBy } from '../inspect/catalogue.ts'
import { recordingFile } from '../inspect/recording-file.ts'
import { serverSettings } from '../inspect/server-settings.ts'
import { followKeys, keysHint } from '../inspect/terminal-keys.ts'
import type { Io } from '../io.ts'
import { createPrinter } from '../output/printer.ts'
import { loadFor, toPendingTarget } from '../target/configured-target.ts'
import { resolveTarget, type Target } from '../target/target.ts'

interface InspectFlags extends CommonFlags {
  readonly port?: number | undefined
  readonly host?: string | undefined
  readonly allowRemote?: boolean | undefined
  readonly open?: boolean | undefined
  readonly record?: string | undefined
  readonly readOnly?: boolean | undefined
  readonly spawn?: boolean | undefined
  readonly basePath?: string | undefined
  readonly sandboxPort?: number | undefined
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  readonly cli?: boolean | undefined
  readonly tui?: boolean | undefined
}

/** `parley inspect` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'inspect',
    'Opens the inspector, which shows servers in the browser.',
    [
      ['parley inspect', 'all configured servers'],
      ['parley inspect node server.js', 'one server, started and connected at once'],
      ['parley inspect -- npx -y some-server', 'the same, for a command with flags of its own'],
      ['parley inspect https://example.com/mcp --record trace.jsonl', 'and records all messages'],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'a server to connect to at once, or the command that starts it')
    .usage('[target | command args...] [options] [-- command args...]')
    .option('--port <number>', 'the port of the page; 6274, or the next that is free', portNumber)
    .option('--host <address>', 'listen on this address instead of 127.0.0.1; needs --allow-remote')
    .option('--allow-remote', 'allow other machines, with the link that is printed')
    .option('--no-open', 'do not open a browser')
    .option('--record <file>', 'record everything to this file')
    .option('--read-only', 'call only what changes nothing')
    .option('--no-spawn', 'do not let the page add commands')
    .option('--sandbox-port <number>', 'where apps are shown; any that is free', portNumber)
    .option('--base-path <path>', 'serve the page below this path')
    .option('--tls-cert <file>', 'serve over TLS with this certificate')
    .option('--tls-key <file>', 'the key of the certificate')
    .addOption(new Option('--web').hideHelp()) // what it does anyway
    .addOption(new Option('--cli').hideHelp()) // of the official Inspector
    .addOption(new Option('--method <name>').hideHelp())
    .addOption(new Option('--tui').hideHelp())
    .action((words: readonly string[], flags: InspectFlags) => {
      if (flags.cli === true) {
        throw new CliError('error', 'the inspector needs a browser', {
          hint: 'In a terminal: parley request SERVER METHOD [PARAMS], for example: parley request notes tools/list',
        })
      }
      if (flags.tui === true) {
        throw new CliError('error', 'the inspector needs a browser', {
          hint: 'In a terminal: parley list, call, read, prompt and watch.',
        })
      }
      const [word, ...more] = words
      if (more.length === 0) return inspect(word, flags, context)
      // Several words are a command; its own flags go behind `--`.
      const serverCommand = [...words, ...(context.serverCommand ?? [])]
      return inspect(undefined, flags, { ...context, serverCommand })
    })
}

async function inspect(
  word: string | undefined,
  flags: InspectFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const { startInspector } = await import('@parley/inspector')
  await using inspector = await startInspector({
    servers: await findServers(word, flags, context),
    port: flags.port,
    host: flags.host,
    allowRemote: flags.allowRemote,
    noOpen: flags.open === false,
    record: await recordingFile(flags.record ?? flags.trace, io),
    readOnly: flags.readOnly,
    noSpawn: flags.spawn === false,
    basePath: flags.basePath,
    sandboxPort: flags.sandboxPort,
    tls: await readTls(flags, io.cwd),
    diagnose,
    openCatalogue: openCatalogueBy(io.env),
    ...(io.env['PARLEY_STATE'] && { stateDirectory: join(io.env['PARLEY_STATE'], 'inspector') }),
  })
  if (printer.isJson) printer.jsonLine({ url: inspector.url, port: inspector.port })
  else {
    printer.line(inspector.url)
    const isTerminal = io.stdin.isTTY === true
    printer.note(
      `The link works once, in one browser. ${isTerminal ? keysHint : 'Ctrl+C ends the inspector.'}`,
    )
  }
  const keys = printer.isJson
    ? undefined
    : followKeys({ inspector, stdin: io.stdin, print: (line) => printer.line(line) })
  await new Promise<void>((ended) => {
    if (io.signal.aborted) ended()
    io.signal.addEventListener('abort', () => ended(), { once: true })
  })
  keys?.[Symbol.dispose]()
}

/** The one that was named, connected at once; else all that are configured. */
async function findServers(
  word: string | undefined,
  flags: InspectFlags,
  context: CommandContext,
): Promise<readonly ConfiguredServer[]> {
  const isNamed =
    word !== undefined || flags.server !== undefined || context.serverCommand !== undefined
  if (isNamed) return [toServer(await resolveTarget(word, flags, context), flags, context.io, true)]
  rejectLoose(flags)
  const { io } = context
  const printer = createPrinter(io, flags)
  const { entries } = await loadFor(flags, io)
  const servers = new Map<string, ConfiguredServer>()
  for (const entry of entries) {
    if (servers.has(entry.name) || entry.settings.isDisabled) continue
    try {
      const { target, pending } = await toPendingTarget(entry, flags, io)
      const approval = pending && {
        reads: pending.disclosure.reads,
        ...(pending.disclosure.kind === 'sends' && { to: pending.disclosure.to }),
        approve: pending.approve,
      }
      servers.set(entry.name, { ...toServer(target, flags, io), approval })
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      printer.note(`${entry.name} is left out: ${error.message}`)
    }
  }
  return [...servers.values()]
}

function toServer(
  { name, entry, source = 'command line', ...target }: Target,
  flags: InspectFlags,
  io: Io,
  connect = false,
): ConfiguredServer {
  return { name, entry, source, connect, settings: serverSettings(flags, io, target) }
}

/** What is about one server needs one. */
function rejectLoose({ header, transport, env, cwd }: InspectFlags): void {
  const flag =
    (header && '--header') || (transport && '--transport') || (env && '-e') || (cwd && '--cwd')
  if (flag)
    throw new CliError('error', `${flag} applies to one server: name it, or pass its command`)
}

async function readTls(
  { tlsCert, tlsKey }: InspectFlags,
  cwd: string,
): Promise<InspectorOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new CliError('error', '--tls-cert and --tls-key belong together')
  }
  // One after the other: of two that cannot be read, the certificate is told.
  const cert = await readPem(resolve(cwd, tlsCert), tlsCert)
  const key = await readPem(resolve(cwd, tlsKey), tlsKey)
  return { cert, key }
}

async function readPem(path: string, flagValue: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new CliError('error', `${flagValue} cannot be read`, { cause: error })
  })
}

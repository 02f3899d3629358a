import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Chat, ChatSettings } from '@parley/chat'
import { openAuditLog } from '@parley/foundation/audit'
import type { ConfigEntry } from '@parley/foundation/config'
import { stateFolder } from '@parley/foundation/secrets'
import type { HostServer } from '@parley/host'
import type { Model } from '@parley/host/models'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { addOutputFlags, collect, portNumber, type CommonFlags } from '../../flags.ts'
import { followKeys, keysHint } from '../../inspect/terminal-keys.ts'
import type { Io } from '../../io.ts'
import { createPrinter } from '../../output/printer.ts'
import { hostParts, limitsOf, withTrust } from '../../run/host-parts.ts'
import { hostServers, serversOf } from '../../run/host-servers.ts'
import { modelOf } from '../../run/model-of.ts'
import { loadFor } from '../../target/configured-target.ts'
import { rootsOf } from '../../target/roots.ts'
import { version } from '../../version.ts'

interface ChatFlags extends CommonFlags {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  readonly api?: string | undefined
  readonly system?: string | undefined
  readonly rules?: string | undefined
  readonly audit?: string | undefined
  readonly port?: number | undefined
  readonly open?: boolean | undefined
  readonly tui?: boolean | undefined
}

/** `parley chat` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'chat',
    'Talk to a model that may use your servers; you decide about every call.',
    [
      ['parley chat', 'opens the page; the first time it asks for servers, a folder and a model'],
      ['parley chat --config mcp.json --model openai/gpt-5', 'these servers and this model'],
      [
        'parley chat --model llama3 --base-url http://127.0.0.1:11434/v1',
        'a model of this machine',
      ],
      ['parley chat --config mcp.json --model scripted', 'try it without a model'],
      ['parley chat --tui', 'in this terminal'],
    ],
  )
  command
    .optionsGroup('The model:')
    .option(
      '--model <name>',
      'openai/NAME, anthropic/NAME, ollama/NAME, a name with --base-url, or scripted',
    )
    .option('--base-url <url>', 'an endpoint that has /chat/completions below it')
    .option('--api <form>', 'chat, responses or messages: the form of the requests')
    .option('--system <text>', 'what the model is told first')
    .optionsGroup('The servers:')
    .option('--config <file>', 'a configuration file; may be repeated', collect)
    .option('--input <pair>', 'an answer to a question of the configuration, id=value', collect)
    .option('--root <folder>', 'a folder that servers are told of; may be repeated', collect)
    .option('--trust', "approve what a project's configuration starts or sends")
    .optionsGroup('What it may do:')
    .option('--rules <file>', 'which calls are allowed without asking (default: your own rules)')
    .option('--audit <file>', 'where each decision is written; by default in the state folder')
    .optionsGroup('Where:')
    .option('--tui', 'in this terminal, instead of a page')
    .option('--port <number>', 'the port of the page; 6280, or the next that is free', portNumber)
    .option('--no-open', 'do not open a browser')
    .optionsGroup('')
  return addOutputFlags(command).action((flags: ChatFlags) => chat(flags, context))
}

async function chat(flags: ChatFlags, context: CommandContext): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  if (flags.tui === true && (io.stdin.isTTY !== true || io.stdout.isTTY !== true)) {
    throw new CliError('error', '--tui needs a terminal', {
      hint: 'Leave it out for the page, or ask without anybody there: parley run -p TEXT.',
    })
  }
  const { createChatSetup, openChat, openConversationStore, readSettings, startChatPage } =
    await import('@parley/chat')
  const folder = join(stateFolder({ env: io.env }), 'chat')
  const settingsFile = join(folder, 'settings.json')
  const settings = await readSettings(settingsFile)
  const { rules, remembered, audit: auditPath } = await hostParts(flags, io)
  const servers = await chosenServers(flags, settings, context)
  const models = chosenModels(flags, settings, io)
  const roots = chosenRoots(flags, settings, io)

  await using audit = openAuditLog({
    path: auditPath,
    onProblem: (problem) => printer.note(problem),
  })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await using conversations = openConversationStore({ file: join(folder, 'conversations.db') })
  await using opened = await openChat({
    host: {
      servers: servers.map((server) => withTrust(server, rules)),
      limits: limitsOf(rules),
      instructions: flags.system,
      roots,
      apps: flags.tui !== true, // a terminal shows none
      info: { name: 'parley', version },
    },
    consent: { rules, audit, remembered },
    models,
    conversations,
  })
  if (flags.tui === true) return await talkHere(opened, io) // before anything is closed
  const { createChatCatalogue } = await import('../../registry/chat-catalogue.ts')
  const setup = createChatSetup(opened, {
    file: settingsFile,
    load: () => loadFor({ ...flags, config: undefined }, io),
    toServer: (entry) => withTrust(agreedServer(entry, flags, context), rules),
    openModel: (name, baseUrl) => modelOf({ model: name, baseUrl }, io),
    env: io.env,
    catalogue: createChatCatalogue(io),
  })
  await using page = await startChatPage(opened, {
    setup,
    port: flags.port,
    noOpen: flags.open === false,
    version,
    folder: io.cwd,
    roots,
    stateDirectory: folder,
  })
  if (printer.isJson) printer.jsonLine({ url: page.url, port: page.port })
  else {
    printer.line(page.url)
    const isTerminal = io.stdin.isTTY === true
    printer.note(
      `The link works once, in one browser. ${isTerminal ? keysHint : 'Ctrl+C ends the chat.'}`,
    )
  }
  const print = (line: string) => printer.line(line)
  const keys = printer.isJson ? undefined : followKeys({ inspector: page, stdin: io.stdin, print })
  await new Promise<void>((ended) => {
    if (io.signal.aborted) ended()
    io.signal.addEventListener('abort', () => ended(), { once: true })
  })
  keys?.[Symbol.dispose]()
}

async function talkHere(opened: Chat, io: Io): Promise<void> {
  const { startTerminalChat } = await import('@parley/chat')
  await startTerminalChat(opened, io)
}

/** Those of `--config`; without it your own, and those that were added in the page and are still what was agreed to. */
async function chosenServers(
  flags: ChatFlags,
  { servers: added = [] }: ChatSettings,
  context: CommandContext,
): Promise<readonly HostServer[]> {
  if (flags.config !== undefined) return hostServers(flags, context)
  const { shownTarget } = await import('@parley/chat')
  const isAgreed = (entry: ConfigEntry) =>
    added.some(
      ({ file, name, shown }) =>
        file === entry.source.file && name === entry.name && shown === shownTarget(entry),
    )
  const isOwn = ({ source }: ConfigEntry) => source.format === 'parley' && source.scope === 'user'
  const isWanted = (entry: ConfigEntry) => isOwn(entry) || isAgreed(entry)
  const found = await hostServers(flags, context, { isWanted, isAgreed })
  const names = new Set(found.map(({ name }) => name))
  const changed = added.filter(({ name }) => !names.has(name))
  return [
    ...found,
    ...changed.map(({ name, file }): HostServer => ({
      name,
      target: '',
      off: `not started: it changed in ${file}, or is gone, since you added it. Remove it here and add it again.`,
    })),
  ]
}

/** A server that a person has just agreed to in the page. */
function agreedServer(entry: ConfigEntry, flags: ChatFlags, context: CommandContext): HostServer {
  const [server] = serversOf({ entries: [entry], problems: [] }, flags, context, () => true)
  if (server === undefined) throw new CliError('error', `${entry.name} cannot be used`)
  return server
}

/** The one of the flags, else the one that was chosen in the page; the scripted one is always there. */
function chosenModels(flags: ChatFlags, { model: kept }: ChatSettings, io: Io): readonly Model[] {
  const scripted = modelOf({ model: 'scripted' }, io)
  if (flags.model !== undefined) {
    const model = modelOf(flags, io)
    return model.name === scripted.name ? [model] : [model, scripted]
  }
  if (flags.baseUrl !== undefined) {
    throw new CliError('error', '--base-url needs --model', {
      hint: 'For example --model llama3 --base-url http://127.0.0.1:11434/v1.',
    })
  }
  if (kept === undefined || kept.name === scripted.name) return [scripted]
  return [modelOf({ model: kept.name, baseUrl: kept.baseUrl }, io), scripted]
}

function chosenRoots(flags: ChatFlags, { roots = [] }: ChatSettings, io: Io): readonly string[] {
  return flags.root === undefined ? roots : rootsOf({ roots: [] }, flags, io.cwd)
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { ChatSetup, OpenedChat } from '@parley/chat'
import { openAuditLog } from '@parley/foundation/audit'
import { stateFolder } from '@parley/foundation/secrets'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../../command.ts'
import { CliError } from '../../exit.ts'
import { addOutputFlags, portNumber } from '../../flags.ts'
import { followKeys, keysHint } from '../../inspect/terminal-keys.ts'
import type { Io } from '../../io.ts'
import { ensureSqlite } from '../../native.ts'
import { createPrinter } from '../../output/printer.ts'
import { askedKeys } from '../../run/asked-keys.ts'
import { agreedServer, chosenModels, chosenRoots, chosenServers } from '../../run/chat-choices.ts'
import { hostContext, limitsOf, stopMs, withTrust } from '../../run/host-parts.ts'
import { modelOf, type ModelFlags } from '../../run/model-of.ts'
import { addCustomServer, removeCustomServer } from '../../run/own-config.ts'
import { loadFor } from '../../target/configured-target.ts'
import { version } from '../../version.ts'
import { addConsentFlags, addModelFlags, addServerFlags, type HostFlags } from './host-flags.ts'

interface ChatFlags extends HostFlags {
  readonly port?: number | undefined
  readonly open?: boolean | undefined
  readonly tui?: boolean | undefined
}

/** `parley chat` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'chat',
    'Talk to a model that can use your servers. You decide about every call.',
    [
      ['parley chat', 'opens the page; the first time it asks for servers, a folder and a model'],
      ['parley chat --config mcp.json --model openai/gpt-5', 'these servers and this model'],
      [
        'parley chat --model llama3 --base-url http://127.0.0.1:11434/v1',
        'a model on this machine',
      ],
      ['parley chat --config mcp.json --model scripted', 'try it without a model'],
      ['parley chat --tui', 'in this terminal'],
    ],
  )
  addServerFlags(addModelFlags(command))
  addConsentFlags(command, 'which calls are allowed without asking (default: your own rules)')
  command
    .optionsGroup('Where:')
    .option('--tui', 'talk in this terminal, not in a page')
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
  await ensureSqlite(io)
  const { createChatSetup, openChat, openConversationStore, readSettings, startChatPage } =
    await import('@parley/chat')
  const folder = join(stateFolder({ env: io.env }), 'chat')
  const settingsFile = join(folder, 'settings.json')
  const settings = await readSettings(settingsFile)
  const { rules, remembered, audit: auditPath } = await hostContext(flags, io)
  const servers = await chosenServers(flags, settings, context)
  /** The chat that is opened below: no model is asked before. */
  let person: OpenedChat | undefined
  const modelKeys = askedKeys(io, async (request, signal) => person?.askKey(request, signal))
  const openNamed = (chosen: ModelFlags) => modelOf(chosen, io, modelKeys)
  const models = chosenModels(flags, settings, openNamed)
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
      timeouts: { stopMs },
    },
    consent: { rules, audit, remembered },
    models,
    titles: settings.titles,
    conversations,
  })
  person = opened
  const { createChatCatalogue } = await import('../../registry/chat-catalogue.ts')
  const setup = createChatSetup(opened, {
    file: settingsFile,
    load: () => loadFor({ ...flags, config: undefined }, io),
    toServer: (entry) => withTrust(agreedServer(entry, flags, context), rules),
    openModel: (name, baseUrl) => openNamed({ model: name, baseUrl }),
    hasKey: modelKeys.has,
    own: {
      add: async (name, entry) =>
        withTrust(agreedServer(await addCustomServer(name, entry, io), flags, context), rules),
      remove: (name) => removeCustomServer(name, io),
    },
    env: io.env,
    catalogue: createChatCatalogue(io),
  })
  if (flags.tui === true) return await talkHere(opened, setup, io) // before anything is closed
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

async function talkHere(opened: OpenedChat, setup: ChatSetup, io: Io): Promise<void> {
  const { startTerminalChat } = await import('@parley/chat')
  await startTerminalChat(opened, { ...io, setup })
}

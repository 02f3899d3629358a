import type { RememberedDecision } from '@parley/host'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'
import { rememberedFile } from './consent-files.ts'
import { loadRules } from './load-rules.ts'

/** `parley rules list` */
export function buildList({ io }: CommandContext): Command {
  const command = newCommand(
    'list',
    'Shows the servers you trust, and what you answered to questions with "always".',
  )
  return addOutputFlags(command).action(async (flags: CommonFlags) => {
    const printer = createPrinter(io, flags)
    const { answers } = await (await openStore(io)).read()
    const trusted = await trustedServers(io)
    if (printer.isJson) return printer.json({ trusted, answers: answers.map(toJson) })
    if (trusted.length > 0) {
      printer.line(`trusted: ${trusted.map((each) => flat(each)).join(', ')}`)
      printer.line()
    }
    if (answers.length === 0) return printer.note('No answer is remembered.')
    printer.table(
      answers.map((answer) => [
        answer.id.slice(0, 8),
        answer.decision,
        flat(answer.server),
        answer.tool === undefined ? '(all tools)' : flat(answer.tool.name),
        answer.at.slice(0, 16).replace('T', ' '),
      ]),
      [
        { title: 'id', overflow: 'keep', style: printer.colors.dim },
        { title: 'answer', overflow: 'keep' },
        { title: 'server', style: printer.colors.cyan },
        { title: 'tool', style: printer.colors.cyan },
        { title: 'since', overflow: 'keep' },
      ],
    )
  })
}

interface RevokeFlags extends CommonFlags {
  readonly tool?: string
  readonly all?: boolean
}

/** `parley rules revoke` */
export function buildRevoke({ io }: CommandContext): Command {
  const command = newCommand('revoke', 'Forgets answers: their calls are asked about again.')
    .argument('[id...]', 'answers, by the ids of parley rules list')
    .option('--server <name>', 'all answers about this server')
    .option('--tool <name>', 'only those about this tool')
    .option('--all', 'all answers')
  return addOutputFlags(command).action(async (ids: readonly string[], flags: RevokeFlags) => {
    const printer = createPrinter(io, flags)
    const { server, tool, all = false } = flags
    if (ids.length === 0 && server === undefined && tool === undefined && !all) {
      throw new CliError('error', 'nothing says which answers', {
        hint: 'Name ids of parley rules list, --server NAME, --tool NAME or --all.',
      })
    }
    const short = ids.find((id) => id.length < 4)
    if (short !== undefined) {
      throw new CliError('error', `${JSON.stringify(short)} is too short for an id: use 4 or more`)
    }
    const { revokeAnswers } = await import('@parley/host')
    const isMeant = (answer: RememberedDecision): boolean => {
      if (all) return true
      if (ids.length > 0) return ids.some((id) => answer.id.startsWith(id))
      return (
        (server === undefined || answer.server === server) &&
        (tool === undefined || answer.tool?.name === tool)
      )
    }
    const revoked = await revokeAnswers(await openStore(io), isMeant)
    if (revoked === 0 && !all) {
      throw new CliError('error', 'no answer is about that', {
        hint: 'See parley rules list.',
      })
    }
    if (printer.isJson) printer.json({ revoked })
    else printer.note(`${counted(revoked, 'answer')} forgotten.`)
  })
}

async function openStore(io: Io) {
  const { createFileConsentStore } = await import('@parley/host')
  return createFileConsentStore(rememberedFile(io))
}

function toJson({ id, decision, server, serverHash, tool, flow, at }: RememberedDecision): object {
  return {
    id,
    decision,
    server,
    serverHash,
    ...(tool !== undefined && { tool: tool.name, definition: tool.hash }),
    flow,
    at,
  }
}

/** Of your own rules, if there are any. */
async function trustedServers(io: Io): Promise<readonly string[]> {
  const loaded = await loadRules(undefined, io).catch(() => undefined) // then nobody is trusted
  return loaded?.read.ok === true ? loaded.read.rules.trusted : []
}

import { safeJson } from '@parley/foundation/terminal'
import type { Pinning, Quarantined } from '@parley/gateway'
import { errorMessage } from '@parley/mcp/json'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { counted, createPrinter, flat, type Printer } from '../output/printer.ts'
import { requireChecks } from './checks-file.ts'

interface QuarantineFlags extends Pick<CommonFlags, 'json' | 'quiet' | 'color'> {
  readonly config: string
  readonly all?: boolean
}

/** `parley gateway quarantine` */
export function buildQuarantine({ io }: CommandContext): Command {
  const list = newCommand(
    'list',
    'Shows tools and prompts that are new or not what was approved, with the differences.',
  )
  const approve = newCommand('approve', 'Approves definitions as they are now.')
    .argument('[ids...]', 'as the list shows them')
    .option('--all', 'everything that waits and was not rejected')
  const reject = newCommand(
    'reject',
    'Hides tools, whatever they become, until a definition is approved.',
  ).argument('<ids...>', 'as the list shows them')

  addFlags(list).action(async ({ config, ...flags }: QuarantineFlags) => {
    const printer = createPrinter(io, flags)
    const waiting = (await openPinning(config, io)).listQuarantine()
    if (printer.isJson) return printer.json(waiting)
    for (const each of waiting) printEntry(each, printer)
    printer.note(
      waiting.length === 0 ? 'Nothing waits.' : `${counted(waiting.length, 'definition')}.`,
    )
  })
  addFlags(approve).action(
    async (ids: readonly string[], { config, ...flags }: QuarantineFlags) => {
      const pinning = await openPinning(config, io)
      const all = flags.all ? pinning.listQuarantine().filter(({ isRejected }) => !isRejected) : []
      const chosen = flags.all ? all.map(({ id }) => id) : ids
      if (chosen.length === 0 && !flags.all) {
        throw new CliError('error', 'which ones? no id was given', {
          hint: 'parley gateway quarantine list shows them; --all approves everything.',
        })
      }
      await resolve(chosen, 'approved', (id) => pinning.approve(id), createPrinter(io, flags))
    },
  )
  addFlags(reject).action(async (ids: readonly string[], { config, ...flags }: QuarantineFlags) => {
    const pinning = await openPinning(config, io)
    await resolve(ids, 'rejected', (id) => pinning.reject(id), createPrinter(io, flags))
  })
  return newCommand(
    'quarantine',
    'Shows, approves and rejects definitions that are new or changed.',
    [
      ['parley gateway quarantine list', 'what waits, with the differences'],
      ['parley gateway quarantine approve 0d4b6cf3a1e29f58', 'one definition, as it is now'],
      ['parley gateway quarantine reject 0d4b6cf3a1e29f58', 'hides a tool'],
    ],
  )
    .addCommand(list)
    .addCommand(approve)
    .addCommand(reject)
}

function addFlags(command: Command): Command {
  return addOutputFlags(
    command.option('--config <file>', 'the file of the gateway', 'gateway.yaml'),
  )
}

async function openPinning(config: string, io: Io): Promise<Pinning> {
  const { pinning } = await requireChecks(config, io)
  if (pinning !== undefined) return pinning
  throw new CliError('error', `${flat(config)} pins no tools`, {
    hint: 'Add pinning: warn, or pinning: enforce.',
  })
}

async function resolve(
  ids: readonly string[],
  word: string,
  work: (id: string) => Promise<Quarantined>,
  printer: Printer,
): Promise<void> {
  const decided: Quarantined[] = []
  for (const id of ids) {
    try {
      decided.push(await work(id))
    } catch (error) {
      throw new CliError('error', errorMessage(error))
    }
  }
  if (printer.isJson) printer.json(decided)
  else
    for (const { kind, upstream, name } of decided)
      printer.note(`${word}: ${kind} ${flat(name)} of ${flat(upstream)}`)
}

/** Everything in it is a stranger's. */
function printEntry(
  { id, kind, upstream, name, reason, isRejected, warnings, differences, after }: Quarantined,
  printer: Printer,
): void {
  const { bold, red, green } = printer.colors
  printer.line(
    `${id}  ${bold(flat(name))}  ${kind} of ${flat(upstream)}, ${reason}${isRejected ? ', rejected' : ''}`,
  )
  for (const warning of warnings) printer.line(`    ${red('!')} ${flat(warning)}`)
  for (const { path, before, after: now } of differences) {
    printer.line(`    ${flat(path)}`)
    if (before !== undefined) printer.line(red(`      - ${shown(before)}`))
    if (now !== undefined) printer.line(green(`      + ${shown(now)}`))
  }
  const { description } = after ?? {}
  if (reason === 'new' && typeof description === 'string')
    printer.line(`    ${flat(description, 300)}`)
}

function shown(value: unknown): string {
  return flat(safeJson(value), 500)
}

import { access } from 'node:fs/promises'

import type { AuditEntry } from '@parley/foundation/audit'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { positiveInteger } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { auditFile } from '../rules/consent-files.ts'
import { addFilterFlags, entryFilter, type FilterFlags } from './audit-filter.ts'

interface ShowFlags extends FilterFlags {
  readonly last?: number
  readonly full?: boolean
}

/** `parley audit show` */
export function buildShow({ io }: CommandContext): Command {
  const command = newCommand('show', 'Shows who decided what, oldest first.')
    .option('--last <number>', 'the number of entries to show, from the end', positiveInteger, 100)
    .option('--full', 'whole records')
  return addFilterFlags(command).action(async (named: string | undefined, flags: ShowFlags) => {
    const printer = createPrinter(io, flags)
    const matches = entryFilter(flags)
    const { last = 100 } = flags
    let shown: AuditEntry[] = []
    let count = 0
    for await (const entry of await readLog(named, io)) {
      if (!matches(entry)) continue
      count += 1
      shown.push(entry)
      if (shown.length >= last * 2) shown = shown.slice(-last)
    }
    shown = shown.slice(-last)
    if (printer.isJson) return shown.forEach((entry) => printer.jsonLine(entry))
    if (flags.full === true) {
      for (const { seq, at, record } of shown) printer.json({ seq, at, ...record })
    } else {
      printer.table(shown.map(rowOf), [
        { title: '#', align: 'right', overflow: 'keep', style: printer.colors.dim },
        { title: 'time', overflow: 'keep' },
        { title: 'what', overflow: 'keep' },
        { title: 'call', style: printer.colors.cyan },
        { title: 'why', overflow: 'wrap' },
      ])
    }
    const more = count - shown.length
    if (more > 0) printer.note(`Earlier entries: ${more}; see --last.`)
    if (count === 0) printer.note('No entry fits.')
  })
}

/** Every entry; a log that is not there is an error, not an empty one. */
export async function readLog(
  named: string | undefined,
  io: Io,
): Promise<AsyncGenerator<AuditEntry>> {
  const { readAuditLog } = await import('@parley/foundation/audit')
  return readAuditLog(await existingLog(named, io))
}

/** The path of a log that is there. */
export async function existingLog(named: string | undefined, io: Io): Promise<string> {
  const file = auditFile(named, io)
  try {
    await access(file)
    return file
  } catch (error) {
    throw new CliError('error', `there is no audit log at ${file}`, {
      cause: error,
      hint: 'parley chat and parley run write it; name another one with FILE.',
    })
  }
}

function rowOf({ seq, at, record }: AuditEntry): readonly string[] {
  const { type, decision, outcome, server, tool, rule, message } = record
  const what = [decision, outcome, type].find((each) => typeof each === 'string')
  const call = [server, tool].filter((each) => typeof each === 'string').join('/')
  const why = [rule, message].find((each) => typeof each === 'string')
  return [
    String(seq),
    at.slice(0, 19).replace('T', ' '),
    flat(what ?? '?', 20),
    flat(call, 100),
    flat(why ?? (what === undefined ? JSON.stringify(record) : ''), 500),
  ]
}

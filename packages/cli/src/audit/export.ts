import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { AuditEntry } from '@parley/foundation/audit'
import { safeJson } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { createPrinter } from '../output/printer.ts'
import { addFilterFlags, entryFilter, type FilterFlags } from './audit-filter.ts'
import { readLog } from './show.ts'

interface ExportFlags extends FilterFlags {
  readonly to?: string
  readonly output?: string
}

/** `parley audit export` */
export function buildExport({ io }: CommandContext): Command {
  const command = newCommand(
    'export',
    'Writes entries as JSON lines or as a table for spreadsheets.',
  )
    .option('--to <form>', 'jsonl or csv', 'jsonl')
    .option('-o, --output <file>', 'the file to write (default: standard output)')
  return addFilterFlags(command).action(async (named: string | undefined, flags: ExportFlags) => {
    const printer = createPrinter(io, flags)
    const { to = 'jsonl', output } = flags
    if (to !== 'jsonl' && to !== 'csv') {
      throw new CliError('error', `--to ${to} is unknown`, { hint: 'Use jsonl or csv.' })
    }
    const lines = linesOf(await readLog(named, io), entryFilter(flags), to)
    if (output === undefined) {
      for await (const line of lines) io.stdout.write(line)
      return
    }
    const file = resolve(io.cwd, output)
    await pipeline(Readable.from(lines), createWriteStream(file, { mode: 0o600 }))
    printer.note(`wrote ${output}`)
  })
}

async function* linesOf(
  entries: AsyncIterable<AuditEntry>,
  matches: (entry: AuditEntry) => boolean,
  to: 'jsonl' | 'csv',
): AsyncGenerator<string> {
  if (to === 'csv') yield `${columns.join(',')}\r\n`
  for await (const entry of entries) {
    if (matches(entry)) yield to === 'csv' ? csvLine(entry) : `${safeJson(entry)}\n`
  }
}

const ofEntry = ['seq', 'at'] as const
const ofRecord =
  'type call server tool decision rule asked decidedBy proposedBy outcome message durationMs arguments changedArguments definition'.split(
    ' ',
  )
const columns = [...ofEntry, ...ofRecord, 'hash']

function csvLine({ seq, at, record, hash }: AuditEntry): string {
  const cells = [seq, at, ...ofRecord.map((name) => record[name]), hash]
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Quoted, and never a formula: a spreadsheet would run it. */
function csvCell(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}

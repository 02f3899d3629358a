import { safeJson } from '@parley/foundation/terminal'
import { compareTraces } from '@parley/foundation/trace'

import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { readRecords } from './read.ts'

/** Shows what differs between two traces. */
export async function diffTraces(
  left: string,
  right: string,
  flags: CommonFlags,
  io: Io,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const { colors } = printer
  const compared = compareTraces(
    await readRecords(left, io, printer),
    await readRecords(right, io, printer),
  )
  const different = compared.filter(({ kind }) => kind !== 'same')
  if (printer.isJson) {
    printer.json({
      differences: different.map(({ method, name, kind, changes, slowerMs }) => ({
        method,
        name,
        kind,
        changes,
        slowerMs,
      })),
    })
  } else {
    for (const { kind, method, name, changes } of different) {
      const what = flat(`${method} ${name ?? ''}`)
      if (kind === 'only-left') printer.line(colors.red(`- ${what}`))
      else if (kind === 'only-right') printer.line(colors.green(`+ ${what}`))
      else printer.line(`~ ${what}`)
      for (const change of changes) {
        printer.line(`    ${flat(change.pointer)}: ${shown(change.left)} → ${shown(change.right)}`)
      }
    }
  }
  if (different.length > 0) {
    throw new CliError('error', `${different.length} of ${compared.length} requests differ`)
  }
  printer.note(`${compared.length} requests, all the same.`)
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = safeJson(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { toOtlp, toTestSource, type TraceRecord } from '@parley/foundation/trace'

import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter } from '../output/printer.ts'
import { readRecords } from './read.ts'

/** What to write, and where. */
export interface ConvertFlags extends CommonFlags {
  readonly to?: string | undefined
  readonly output?: string | undefined
}

const forms = new Map<string, (records: readonly TraceRecord[]) => string>([
  ['otlp', toOtlp],
  ['test', (records) => toTestSource(records)],
])

/** Writes a trace as other programs read it. */
export async function convertTrace(file: string, flags: ConvertFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  const convert = forms.get(flags.to ?? '')
  if (convert === undefined) {
    throw new CliError('error', `--to ${flags.to ?? ''} is unknown`, {
      hint: `Use ${[...forms.keys()].join(', ')}.`,
    })
  }
  const text = convert(await readRecords(file, io, printer))
  const whole = text.endsWith('\n') ? text : `${text}\n`
  if (flags.output === undefined) return void io.stdout.write(whole)
  await writeFile(resolve(io.cwd, flags.output), whole)
  printer.note(`wrote ${flags.output}`)
}

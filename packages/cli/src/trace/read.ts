import { resolve } from 'node:path'

import { readTraceFile, type TraceRecord } from '@parley/foundation/trace'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/printer.ts'

/** The records of a file; lines that are none are told of, and cost nothing else. */
export async function readRecords(
  file: string,
  io: Io,
  printer: Printer,
): Promise<readonly TraceRecord[]> {
  const { records, problems } = await readTraceFile(resolve(io.cwd, file)).catch(
    (error: unknown) => {
      throw new CliError('error', `${file} cannot be read`, { cause: error })
    },
  )
  for (const { line, message } of problems.slice(0, 5)) printer.note(`${file}:${line}: ${message}`)
  if (problems.length > 5) printer.note(`${problems.length - 5} more lines are not records`)
  if (records.length === 0) throw new CliError('error', `${file} is not a trace: it has no records`)
  return records
}

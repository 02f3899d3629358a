import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { ReadRulesResult } from '@parley/host'

import { near } from '../config/list.ts'
import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { flat, type Printer } from '../output/printer.ts'
import { rulesFile } from './consent-files.ts'

/** Rules as they were read, and where from. */
export interface LoadedRules {
  readonly file: string
  readonly read: ReadRulesResult
}

/** Reads the file that was named, or your own. */
export async function loadRules(named: string | undefined, io: Io): Promise<LoadedRules> {
  const { readRules } = await import('@parley/host')
  const file = named === undefined ? rulesFile(io) : resolve(io.cwd, named)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const shown = near(file, io.cwd, io.env['HOME'])
    const why = code === 'ENOENT' ? 'there is no such file' : code
    throw new CliError('error', `${shown} cannot be read: ${why}`, {
      hint: 'Name a file of rules, or write your own: { "rules": [] }.',
    })
  })
  return { file, read: readRules(text, { file, workspaceFolder: io.cwd }) }
}

/** One line for each problem, with its cure below. */
export function printProblems({ file, read }: LoadedRules, printer: Printer, io: Io): void {
  for (const { level, line, column, message, fix } of read.problems) {
    const at = [line, ...(column === undefined ? [] : [column])].join(':')
    const color = level === 'error' ? printer.colors.red : printer.colors.yellow
    printer.line(`${near(file, io.cwd, io.env['HOME'])}:${at}: ${color(level)}: ${flat(message)}`)
    printer.line(`    ${printer.colors.dim(flat(fix))}`)
  }
}

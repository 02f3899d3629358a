import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { counted, createPrinter } from '../output/printer.ts'
import { loadRules, printProblems } from './load-rules.ts'

/** `parley rules check` */
export function buildCheck({ io }: CommandContext): Command {
  const command = newCommand(
    'check',
    'Checks a file of rules; exits with 6 if it has mistakes.',
  ).argument('[file]', 'the file (default: your own)')
  return addOutputFlags(command).action(async (named: string | undefined, flags: CommonFlags) => {
    const printer = createPrinter(io, flags)
    const loaded = await loadRules(named, io)
    const { file, read } = loaded
    if (printer.isJson) printer.json({ file, ok: read.ok, problems: read.problems })
    else printProblems(loaded, printer, io)
    if (!read.ok) {
      const errors = read.problems.filter(({ level }) => level === 'error').length
      throw new CliError('invalid', `${counted(errors, 'error')} in ${named ?? file}`, {
        hint: 'Rules are used whole or not at all.',
      })
    }
    printer.note(`${counted(read.rules.rules.length, 'rule')}, no errors.`)
  })
}

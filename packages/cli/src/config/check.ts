import { resolveEntry, reviewEntry, type ConfigProblem } from '@parley/foundation/config'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { collect, type CommonFlags } from '../flags.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'
import { answerSource } from '../target/answer-source.ts'
import { loadFor } from '../target/configured-target.ts'
import { addConfigFlags, near } from './list.ts'

/** `parley config check` */
export function buildCheck({ io }: CommandContext): Command {
  const command = newCommand('check', 'Checks configuration files without starting anything.')
  return addConfigFlags(command)
    .option('--input <pair>', 'an answer to a question, id=value', collect)
    .action(async (flags: CommonFlags) => {
      const printer = createPrinter(io, flags)
      const { entries, problems: read, files } = await loadFor(flags, io)
      const problems: ConfigProblem[] = [...read]
      const answers = Object.fromEntries(
        (flags.input ?? []).map((pair) => pair.split('=', 2) as [string, string]), // two parts
      )
      for (const entry of entries) {
        await using source = answerSource(entry, { json: true }, io)
        const { env, cwd } = io
        const resolved = await resolveEntry(entry, {
          env,
          cwd,
          answers,
          ask: source.ask,
          secret: source.secret,
        })
        if (!resolved.ok) problems.push(...resolved.problems)
        else problems.push(...reviewEntry(entry, resolved.entry, { env }))
      }

      if (printer.isJson) printer.json({ files: files.map(({ file }) => file), problems })
      else for (const problem of problems) printer.line(describe(problem))
      const errors = problems.filter(({ level }) => level === 'error').length
      if (errors > 0)
        throw new CliError(
          'invalid',
          `${counted(errors, 'error')} in ${counted(files.length, 'file')}`,
        )
      printer.note(
        `${counted(entries.length, 'server')} in ${counted(files.length, 'file')}, no errors.`,
      )

      function describe(problem: ConfigProblem): string {
        const { level, file, line, column, server, key, message, fix } = problem
        const at = [line, column].filter((each) => each !== undefined).map((each) => `:${each}`)
        const location = `${near(file, io.cwd, io.env['HOME'])}${at.join('')}`
        const color = level === 'error' ? printer.colors.red : printer.colors.yellow
        const what = flat(
          [server, key?.split('.').slice(2).join('.') || undefined].filter(Boolean).join('.'),
        )
        const cure = fix === undefined ? '' : `\n    ${printer.colors.dim(flat(fix))}`
        return `${location}: ${color(level)}: ${what === '' ? '' : `${what} `}${flat(message)}${cure}`
      }
    })
}

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { describedKinds, findDescribed, type DescribedKind } from '../describe/find-described.ts'
import { printDescribed } from '../describe/print-described.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { createInputRequests } from '../questions/answers.ts'
import { splitTarget } from '../target/target.ts'

interface DescribeFlags extends CommonFlags {
  readonly kind?: string | undefined
}

/** Names of a server may look like flags. */
export const dashes = 'words-first'

/** `parley describe` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'describe',
    'Shows one tool, prompt, resource or template in detail.',
    [
      ['parley describe files read_text_file', 'title, description, arguments, result'],
      ['parley describe notes summarize --kind prompt', 'where a tool has the same name'],
      ['parley describe echo --json -- node server.js', 'the definition as the server sent it'],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'target, name or URI')
    .usage('[target] <name | uri> [options] [-- command]')
    .option('--kind <kind>', `only among ${describedKinds.join('s, ')}s`)
    .action(async (words: readonly string[], flags: DescribeFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      const [name, ...more] = rest
      if (name === undefined || more.length > 0) {
        throw new CliError('error', 'name one tool, prompt, resource or template', {
          hint: 'parley describe TARGET NAME, or parley describe NAME -- COMMAND',
        })
      }
      const kind = kindOf(flags.kind)
      const { options } = await createInputRequests(flags, context.io) // some tools are only for who can be asked
      await withServer(
        word,
        flags,
        context,
        async ({ client, printer, call: { signal } }) => {
          const found = await findDescribed(name, kind, client, signal)
          if (printer.isJson) printer.json({ kind: found.kind, ...found.value })
          else printDescribed(found, printer)
        },
        options,
      )
    })
}

function kindOf(text: string | undefined): DescribedKind | undefined {
  if (text === undefined) return undefined
  const kind = describedKinds.find((each) => each === text || `${each}s` === text)
  if (kind !== undefined) return kind
  throw new CliError('error', `--kind ${text} is unknown`, {
    hint: `Use ${describedKinds.join(', ')}.`,
  })
}

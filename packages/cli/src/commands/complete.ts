import { safeText } from '@parley/foundation/terminal'
import type { CompletionReference } from '@parley/mcp'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, collect, readPair, type CommonFlags } from '../flags.ts'
import { splitTarget } from '../target/target.ts'

interface CompleteFlags extends CommonFlags {
  readonly known?: readonly string[] | undefined
}

/** Names of a server may look like flags. */
export const dashes = 'words-first'

/** `parley complete` */
export function build(context: CommandContext): Command {
  const command = newCommand('complete', 'Asks for completions of an argument.', [
    [
      'parley complete notes summarize topic mc',
      'of a prompt: its name, the argument, what was typed',
    ],
    ['parley complete files "file:///{path}" path /tm', 'of a resource template'],
    [
      'parley complete trips book city R --known country=it',
      'with arguments that are already known',
    ],
  ])
  return addTargetFlags(command)
    .argument('[words...]', 'target, prompt or template, argument, value')
    .usage('[target] <prompt | uri-template> <argument> [value] [options] [-- command]')
    .option('--known <pair>', 'an argument that is already known, name=value', collect)
    .action(async (words: readonly string[], flags: CompleteFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      const [reference, name, value = ''] = rest
      if (reference === undefined || name === undefined) {
        throw new CliError('error', 'name a prompt or template, and an argument', {
          hint: 'parley complete TARGET PROMPT ARGUMENT VALUE',
        })
      }
      const values = Object.fromEntries(
        (flags.known ?? []).map((pair) => readPair(pair, '--known')),
      )
      await withServer(word, flags, context, async ({ client, printer, call: { signal } }) => {
        const options = { signal, ...(flags.known && { known: values }) }
        const completion = await client.complete(readReference(reference), { name, value }, options)
        if (printer.isJson) return printer.json({ completion })
        for (const each of completion.values) printer.line(safeText(each, { multiline: false }))
        const { total, hasMore } = completion
        const isCut = hasMore === true || (total ?? 0) > completion.values.length
        if (isCut) printer.note(`There are more${total === undefined ? '' : `: ${total} in all`}.`)
      })
    })
}

/** `prompt:NAME` and `resource:URI` where it is not clear which. */
function readReference(text: string): CompletionReference {
  const [, kind, rest = ''] = /^(prompt|resource):(.+)$/s.exec(text) ?? []
  if (kind === 'prompt') return { type: 'ref/prompt', name: rest }
  if (kind === 'resource') return { type: 'ref/resource', uri: rest }
  return /^[a-z][\w+.-]*:/i.test(text)
    ? { type: 'ref/resource', uri: text }
    : { type: 'ref/prompt', name: text }
}

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { completionScript, type CompletedCommand } from '../completion/scripts.ts'
import { CliError } from '../exit.ts'
import { commandTable } from './table.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley completion` */
export function build(context: CommandContext): Command {
  return newCommand(
    'completion',
    'Prints a script that completes commands, flags, servers, tools and kinds.',
    [
      ['parley completion bash > ~/.local/share/bash-completion/completions/parley', 'bash'],
      ['parley completion zsh > "${fpath[1]}/_parley"', 'zsh'],
      ['parley completion fish > ~/.config/fish/completions/parley.fish', 'fish'],
    ],
  )
    .argument('<shell>', shells.join(', '))
    .argument('[words...]', 'used by the scripts: `words -- LINE`')
    .action(async (name: string, words: readonly string[]) => {
      if (name === 'words') return printWords(words, context)
      const shell = shells.find((each) => each === name)
      if (shell === undefined) {
        throw new CliError('error', `${name} is unknown`, { hint: `Use ${shells.join(', ')}.` })
      }
      const commands = await Promise.all(
        commandTable.map(async ({ name: command, summary, load }): Promise<CompletedCommand> => {
          const { build: buildOther } = await load()
          const built = command === 'completion' ? undefined : buildOther(context)
          return {
            name: command,
            summary,
            flags: built?.options.map(({ long }) => long ?? '').filter(Boolean) ?? [],
            words: built === undefined ? shells : built.commands.map((child) => child.name()),
          }
        }),
      )
      context.io.stdout.write(completionScript(shell, commands))
    })
}

/** For the scripts: what may stand in the place of the last word. Who presses a key wants no error. */
async function printWords(words: readonly string[], context: CommandContext): Promise<void> {
  const { suggest } = await import('../completion/suggest.ts')
  const found = await suggest(words, context).catch(() => [])
  if (found.length > 0) context.io.stdout.write(`${found.join('\n')}\n`)
}

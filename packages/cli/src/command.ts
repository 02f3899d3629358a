import { Command } from 'commander'

import { layOutHelp } from './help-layout.ts'
import type { Io } from './io.ts'

/** What a command is given besides its arguments. */
export interface CommandContext {
  readonly io: Io
  /** What stands behind `--`: the command that starts a server. */
  readonly serverCommand: readonly string[] | undefined
  /** The whole command line without the command's name, `--` included. */
  readonly args: readonly string[]
}

/** One command: in a file of its own, loaded when it is used. */
export interface CommandModule {
  /** Describes it to the parser; actions reject with a `CliError` to end with another code than 0. */
  readonly build: (context: CommandContext) => Command
  /**
   * What `--` means. `server`: the command that starts a server follows. `words-first`: the same, but this command needs
   * words, so one before any of them ends the flags, and the next has the server. `words`: it ends the flags.
   * @defaultValue 'server'
   */
  readonly dashes?: 'server' | 'words-first' | 'words' | undefined
}

/** A command with help that ends in examples. */
export function newCommand(
  name: string,
  description: string,
  examples: readonly (readonly [line: string, meaning: string])[] = [],
): Command {
  const command = layOutHelp(new Command(name))
    .description(description)
    .helpOption('-h, --help', 'this text')
  if (examples.length === 0) return command
  const width = Math.max(...examples.map(([line]) => line.length))
  const lines = examples.map(([line, meaning]) =>
    width > 60 ? `  # ${meaning}\n  ${line}` : `  ${line.padEnd(width)}  # ${meaning}`,
  )
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

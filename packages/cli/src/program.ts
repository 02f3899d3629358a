import type { CommandEntry } from './commands/table.ts'

/** A program made of some of the commands. */
export interface Program {
  readonly commands: readonly CommandEntry[]
  /** The line as `parley` has it. @defaultValue the same */
  readonly lineOf?: ((argv: readonly string[]) => readonly string[]) | undefined
}

/** A program that is one command, and a few more by their names. */
export function oneCommand(main: CommandEntry, more: readonly CommandEntry[]): Program {
  return {
    commands: [main, ...more],
    lineOf: (argv) => (more.some(({ name }) => name === argv[0]) ? argv : [main.name, ...argv]),
  }
}

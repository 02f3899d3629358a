import { commandTable } from './commands/table.ts'
import type { Io } from './io.ts'
import type { Program } from './program.ts'
import { runProgram } from './run.ts'

/** The program with all commands. */
export const parley: Program = { commands: commandTable }

/** Runs one command line of `parley` and returns what the process ends with. Never throws. */
export function runCli(argv: readonly string[], io: Io): Promise<number> {
  return runProgram(parley, argv, io)
}

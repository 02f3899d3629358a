import { didYouMean } from '@parley/foundation/command-line'
import type { Command } from 'commander'

import type { CommandContext } from './command.ts'
import type { CommandEntry } from './commands/table.ts'
import { CliError, describeFailure, exitCodes } from './exit.ts'
import { flagsWithValue, whyUseless } from './flags.ts'
import { helpText } from './help.ts'
import { asInvoked } from './invoked-as.ts'
import type { Io } from './io.ts'
import { printFailure } from './output/failure.ts'
import type { Program } from './program.ts'
import { respell, type Line } from './spellings.ts'
import { splitAtDashes } from './split-at-dashes.ts'
import { synonymOf } from './synonyms.ts'
import { version } from './version.ts'

/** Runs one command line of a program and returns what the process ends with. Never throws. */
export async function runProgram(
  { commands, lineOf = (line) => line }: Program,
  words: readonly string[],
  io: Io,
): Promise<number> {
  const argv = lineOf(words)
  const own = beforeDashes(argv)
  const isJson = own.includes('--json')
  const color = own.includes('--no-color') ? false : own.includes('--color') || undefined
  try {
    await dispatch(commands, argv, io)
    return exitCodes.ok
  } catch (error) {
    const failure = describeFailure(error, io.signal)
    printFailure(failure, io, { isJson, color })
    return exitCodes[failure.code]
  }
}

async function dispatch(
  commands: readonly CommandEntry[],
  argv: readonly string[],
  io: Io,
): Promise<void> {
  const at = findCommand(argv)
  const name = argv[at]
  if (name === undefined) {
    if (argv.includes('--version') || argv.includes('-V'))
      return void io.stdout.write(`${version}\n`)
    if (argv.length === 0 || argv.includes('--help') || argv.includes('-h')) {
      return void io.stdout.write(asInvoked(helpText(commands), io.env))
    }
    throw new CliError('error', 'no command', { hint: 'See parley --help.' })
  }
  const args = [...argv.slice(0, at), ...argv.slice(at + 1)]
  if (name === 'help') return help(commands, args, io)
  const line = respell({ name, args }, io)
  await runCommand(entryOf(line.name, commands), line, io)
}

/** `parley help call` is `parley call --help`. */
async function help(
  commands: readonly CommandEntry[],
  [name, ...more]: readonly string[],
  io: Io,
): Promise<void> {
  if (name === undefined || name === 'all' || name === 'connection') {
    return void io.stdout.write(asInvoked(helpText(commands, name), io.env))
  }
  const line = respell({ name, args: [...more, '--help'] }, io)
  await runCommand(entryOf(line.name, commands), line, io)
}

function entryOf(name: string, commands: readonly CommandEntry[]): CommandEntry {
  const entry = commands.find((candidate) => candidate.name === name)
  if (entry !== undefined) return entry
  const names = commands.map((candidate) => candidate.name)
  const meant = synonymOf(name) ?? didYouMean(name, names)
  throw new CliError('error', `unknown command ${JSON.stringify(name)}`, {
    hint: meant === undefined ? 'See parley --help.' : `Did you mean \`parley ${meant}\`?`,
  })
}

async function runCommand(
  { name, load }: CommandEntry,
  { args, shownAs }: Line,
  io: Io,
): Promise<void> {
  const { build, dashes } = await load()
  const { own, serverCommand } = splitAtDashes(args, dashes, () =>
    build({ io, serverCommand: undefined, args }),
  )
  const context: CommandContext = { io, serverCommand, args }
  const command = quiet(build(context), io).name(`parley ${name}`)
  const [first, ...rest] = subcommandFirst(own, command)
  const child = command.commands.find((candidate) => candidate.name() === first)
  const isShown = shownAs !== undefined && child !== undefined
  try {
    if (isShown) await standalone(child, shownAs).parseAsync(rest, { from: 'user' })
    else await command.parseAsync([...subcommandFirst(own, command)], { from: 'user' })
  } catch (error) {
    if (!isParserError(error)) throw error
    if (error.exitCode === 0) return
    throw parserFailure(error.message, command, own)
  }
}

/** The parser neither ends the process nor writes elsewhere; what it says of mistakes is said by us. */
function quiet(command: Command, io: Io): Command {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(asInvoked(text, io.env)),
      writeErr: (text) => void io.stdout.write(asInvoked(text, io.env)), // help, when a subcommand is missing
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stdout.columns ?? 100,
    })
  for (const child of command.commands) quiet(child, io)
  return command
}

/** A subcommand that has a name of its own. */
function standalone(command: Command, name: string): Command {
  command.parent = null // else its help would show the name of that too
  return command.name(`parley ${name}`)
}

/** Flags may stand before the name of a command; before that of a subcommand too. */
function subcommandFirst(args: readonly string[], command: Command): readonly string[] {
  if (command.commands.length === 0) return args
  const at = findCommand(args)
  const child = command.commands.find((candidate) => candidate.name() === args[at])
  if (child === undefined) return args
  const others = [...args.slice(0, at), ...args.slice(at + 1)]
  return [child.name(), ...subcommandFirst(others, child)]
}

/** What the parser says, in words that help. */
function parserFailure(reported: string, command: Command, args: readonly string[]): CliError {
  const name = nameOf(command, args)
  if (reported === '(outputHelp)') return new CliError('error', 'no subcommand was given') // they were just listed
  const message = reported.replace(/^error: /, '')
  const [, flag] = /^unknown option '([^'=]+)/.exec(message) ?? []
  const why = flag === undefined ? undefined : whyUseless(flag)
  const hint = `See ${name} --help.`
  return why === undefined
    ? new CliError('error', message, { hint })
    : new CliError('error', `${name} does not take ${flag}: ${why}`, { hint })
}

/** With the subcommand, if there is one. */
function nameOf(command: Command, args: readonly string[]): string {
  const ordered = subcommandFirst(args, command)
  const child = command.commands.find((candidate) => candidate.name() === ordered[0])
  return child === undefined
    ? command.name()
    : `${command.name()} ${nameOf(child, ordered.slice(1))}`
}

function isParserError(
  error: unknown,
): error is { readonly exitCode: number; readonly message: string } {
  return error instanceof Error && error.name === 'CommanderError'
}

function beforeDashes(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('--')
  return at === -1 ? argv : argv.slice(0, at)
}

/** The first word that is neither a flag nor the value of one. */
function findCommand(argv: readonly string[]): number {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word === '--') return -1
    if (!word.startsWith('-')) return at
    if (flagsWithValue.has(word)) at += 1
  }
  return -1
}

import { commandLine } from './shell-word.ts'

/** How the command is run by somebody who may not have it: the bare name on npm belongs to others. */
export const parleyProgram = 'npx @parley/cli'

/** A command of parley for a person to run. */
export interface ParleyCommand {
  /** `call`, or `auth login`. */
  readonly command: string
  /** Flags of ours; a value of a stranger belongs to its flag, as in `--server=NAME`. */
  readonly flags?: readonly string[] | undefined
  /** Names, addresses and arguments, whoever chose them. */
  readonly words?: readonly string[] | undefined
  /** The command that starts the server. */
  readonly serverCommand?: readonly string[] | undefined
}

/**
 * The line to paste. A name that looks like a flag stands behind `--`, so that it stays a name; undefined where a word
 * is `--` itself, which no line can say.
 */
export function parleyCommandLine(command: ParleyCommand): string | undefined {
  const { flags = [], words = [], serverCommand } = command
  if (words.includes('--')) return undefined
  const needsDashes = words.some((word) => word.startsWith('-'))
  const rest = [
    ...flags,
    ...(needsDashes ? ['--'] : []),
    ...words,
    ...(serverCommand === undefined ? [] : ['--', ...serverCommand]),
  ]
  return [parleyProgram, command.command, commandLine(rest)].filter(Boolean).join(' ')
}

/** Arguments of a tool or prompt as words that `parley call` reads back as the same values. */
export function argumentWords(args: { readonly [name: string]: unknown }): readonly string[] {
  const pairs = Object.entries(args)
  // Other names would read as flags, files or JSON.
  if (!pairs.every(([name]) => /^[^-{=:@][^=:@]*$/.test(name))) return [JSON.stringify(args)]
  return pairs.map(([name, value]) =>
    typeof value === 'string' && !looksLikeJson(value)
      ? `${name}=${value}`
      : `${name}:=${JSON.stringify(value)}`,
  )
}

/** Such a text would become something else where the schema allows it. */
function looksLikeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

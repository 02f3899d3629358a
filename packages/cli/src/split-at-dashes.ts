import type { Command } from 'commander'

import type { CommandModule } from './command.ts'

/** A command line in its two parts. */
export interface SplitLine {
  /** For the parser; may have a `--` of its own, behind which nothing is a flag. */
  readonly own: readonly string[]
  /** What starts the server, if the line says so. */
  readonly serverCommand: readonly string[] | undefined
}

/** Finds the `--` that the server's command stands behind. The parser is only asked where flags have to be known. */
export function splitAtDashes(
  args: readonly string[],
  dashes: CommandModule['dashes'],
  describe: () => Command,
): SplitLine {
  const first = args.indexOf('--')
  if (first === -1 || dashes === 'words') return { own: args, serverCommand: undefined }
  const endsFlags = dashes === 'words-first' && !hasWord(args.slice(0, first), describe())
  const at = endsFlags ? args.indexOf('--', first + 1) : first
  if (at === -1) return { own: args, serverCommand: undefined }
  return { own: args.slice(0, at), serverCommand: args.slice(at + 1) }
}

/** Whether anything is neither a flag nor the value of one. */
function hasWord(args: readonly string[], { options }: Command): boolean {
  const takesValue = (flag: string) =>
    options.some(({ short, long, required }) => required && (flag === short || flag === long))
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (word === '-' || !word.startsWith('-')) return true
    if (takesValue(word)) at += 1
  }
  return false
}

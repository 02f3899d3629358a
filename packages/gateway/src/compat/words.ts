import { errorMessage } from '@parley/mcp/json'

import { UsageError } from '../usage-error.ts'

/** Splits a line as a shell would, and does nothing else that a shell does. Throws `UsageError`. */
export function splitWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at)
    if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (quote === undefined && (char === '"' || char === "'")) {
      quote = char
      word ??= ''
    } else if (char === quote) quote = undefined
    else if (char === '\\' && quote !== "'" && at + 1 < line.length)
      word = (word ?? '') + line.charAt(++at)
    else word = (word ?? '') + char
  }
  if (quote !== undefined) throw new UsageError(`a quote ${quote} is not closed: ${line}`)
  if (word !== undefined) words.push(word)
  return words
}

/** The command of a line. Throws `UsageError` for what only a shell understands. */
export function commandOf(line: string): { readonly command: string; readonly args: string[] } {
  const [command, ...args] = splitWords(line)
  if (command === undefined) throw new UsageError('the command is empty')
  const shellOnly = [command, ...args].find((word) => /^(?:&&|\|\||[|;<>&]|\d?>.*)$/.test(word))
  if (shellOnly === undefined) return { command, args }
  throw new UsageError(
    `${JSON.stringify(shellOnly)} needs a shell, and commands are started without one`,
    `Start a shell yourself: -- sh -c ${JSON.stringify(line)}`,
  )
}

/** `Name: value` as a pair. */
export function headerOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':')
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  throw new UsageError(`a header is "Name: value", not ${JSON.stringify(text)}`)
}

/** A port number of a command line. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new UsageError(`port ${text} is out of range: use 0 to 65535`)
}

/** Flags as the other program has them; those it does not know are errors. */
export function readFlags<Flags>(program: string, parse: () => Flags): Flags {
  try {
    return parse()
  } catch (error) {
    const why = errorMessage(error)
    throw new UsageError(`--compat ${program}: ${why}`)
  }
}

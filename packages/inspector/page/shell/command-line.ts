/**
 * Splits a command line as people write it: spaces part words, quotes keep them together, a backslash takes the next
 * character as it is (not in single quotes). Nothing is expanded: no shell will see it.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index)
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === quote) quote = undefined
    else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (character === '\\' && quote !== "'" && index + 1 < line.length) {
      word = (word ?? '') + line.charAt(++index)
    } else word = (word ?? '') + character
  }
  if (word !== undefined) words.push(word)
  return words
}

/** Lines of `NAME=value` or `Name: value` as names and values; what has no separator is left out. */
export function readPairs(text: string, separator: '=' | ':'): { readonly [name: string]: string } {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf(separator)
    if (at <= 0) return []
    return [[line.slice(0, at).trim(), line.slice(at + 1).trim()]]
  })
  return Object.fromEntries(pairs)
}

/** Words as a command line that splits into the same words. */
export function joinCommandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`))
    .join(' ')
}

/** Names and values as lines. */
export function writePairs(
  pairs: { readonly [name: string]: string } | undefined,
  separator: '=' | ': ',
): string {
  return Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}${separator}${value}`)
    .join('\n')
}

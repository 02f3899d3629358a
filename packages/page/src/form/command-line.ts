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

/** The quote that a command line opens and never closes; undefined when all are closed. */
export function unclosedQuote(line: string): string | undefined {
  let quote: string | undefined
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index)
    if (character === '\\' && quote !== "'") index++
    else if (character === quote) quote = undefined
    else if (quote === undefined && (character === '"' || character === "'")) quote = character
  }
  return quote
}

/** Words as a command line that splits into the same words. */
export function joinCommandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`))
    .join(' ')
}

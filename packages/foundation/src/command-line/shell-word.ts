import { hasInvisible } from '../text-safety/hidden-characters.ts'

/**
 * One word for a shell, whatever is in it. Control characters and marks that turn or hide text are written as codes:
 * pasted as they are, they could end the paste or show another command than the one that runs.
 */
export function shellWord(text: string): string {
  if (hasInvisible(text)) return `$'${Array.from(text, escaped).join('')}'`
  // A leading = is looked up as a command by zsh.
  const isPlain = /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text)
  return isPlain ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Words as a line to paste into a shell. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

/** In octal bytes, which every shell that knows these quotes reads alike. */
function escaped(letter: string): string {
  if (letter === "'" || letter === '\\') return `\\${letter}`
  if (!hasInvisible(letter)) return letter
  return [...new TextEncoder().encode(letter)]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('')
}

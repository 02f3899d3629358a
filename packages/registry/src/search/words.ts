/** Characters of one text that are looked at, and of one word. */
const maxTextCharacters = 2_000
const maxWordCharacters = 64

/** Words that say little about a server: most of them have these. */
const commonWords = new Set(
  'mcp server servers a an and as at by for from in into is it of on or that the this to via with your'.split(
    ' ',
  ),
)

/** Words of a text in lower case without accents, in their order. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.slice(0, maxTextCharacters).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.slice(0, maxWordCharacters))
}

/** The words without common ones; all of them if nothing else is left. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const notifying = words.filter((word) => !isCommonWord(word))
  return notifying.length > 0 ? notifying : words
}

/** Whether a word says little about a server. */
export function isCommonWord(word: string): boolean {
  return commonWords.has(word)
}

/** The form under which `map`, `maps` and `mapping` are one word. English endings only; other words stay as they are. */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const singular = singularOf(word)
  const bare = singular.endsWith('eed') ? singular : singular.replace(/(?:ing|ed)$/, '')
  const isVerb = bare !== singular && bare.length >= 3 && /[aeiouy]/.test(bare)
  const stem = isVerb ? bare.replace(/([bdfgmnprt])\1$/, '$1') : singular
  return stem.length > 3 ? stem.replace(/e$/, '') : stem
}

function singularOf(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|us|is)$/.test(word)) return word
  if (/(?:ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2)
  return word.replace(/s$/, '')
}

/** Neighbours written as one word: `file`, `system` as `filesystem`. */
export function joinedPairs(words: readonly string[]): readonly string[] {
  return words.slice(1).map((word, at) => `${words[at]}${word}`.slice(0, maxWordCharacters))
}

/**
 * The word, and it without each of its letters. Two words that are one typo apart have at least one of these in common,
 * so that words which are spelled nearly alike are found by equality. Empty for words too short or too long to tell.
 */
export function spellingsOf(word: string): readonly string[] {
  if (!/^\p{L}{4,24}$/u.test(word)) return []
  const letters = Array.from(word)
  return [...new Set([word, ...letters.map((_, at) => letters.toSpliced(at, 1).join(''))])]
}

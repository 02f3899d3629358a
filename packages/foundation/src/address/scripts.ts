const names =
  'Latin Cyrillic Greek Armenian Georgian Cherokee Coptic Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Thai Lao Khmer Myanmar Tibetan Ethiopic Mongolian Han Hiragana Katakana Hangul Bopomofo'.split(
    ' ',
  )

const scripts = names.map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }))

/** Scripts that are written together, with Latin among them. */
const together = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
].map((group) => new Set(['Latin', ...group]))

/** The scripts of a word's letters, if they are some that nobody writes together; else none. */
export function mixedScripts(word: string): readonly string[] {
  const found = scripts.filter(({ letter }) => letter.test(word)).map(({ name }) => name)
  const isUsual =
    found.length < 2 || together.some((group) => found.every((candidate) => group.has(candidate)))
  return isUsual ? [] : found
}

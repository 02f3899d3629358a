import type { SqlValue } from './database.ts'

/** More are nobody's search. */
const maxWords = 16
const longestWord = 64

/** The condition for conversations whose title or text has all the words, each at least as the beginning of one. */
export function searchCondition(search: string): {
  readonly condition: string
  readonly values: readonly SqlValue[]
} {
  const words = search
    .split(/[^\p{Letter}\p{Mark}\p{Number}]+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => `"${word.slice(0, longestWord)}"*`)
  if (words.length === 0) return { condition: '1', values: [] }
  return {
    condition: words.map(() => hasWord).join(' and '),
    values: words.flatMap((word) => [word, word]),
  }
}

const hasWord = `number in (
  select rowid from title_words where title_words match ?
  union select entries.conversation from entry_words join entries on entries.number = entry_words.rowid
    where entry_words match ?)`

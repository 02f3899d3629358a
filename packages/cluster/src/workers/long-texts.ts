import type { ObjectDatabase } from './object-database.ts'

/** A row may have 2 MB, and a character at most three bytes for each unit of its length. */
const maxUnits = 500_000

/** A text as rows can hold it: the beginning, and how many parts follow it elsewhere. */
export interface SplitText {
  readonly text: string
  readonly parts: number
}

/** Texts longer than a row: the beginning stays in the row of `owner`, the rest is kept here. */
export interface LongTexts {
  /** Keeps what does not fit into the row. */
  split(owner: string, text: string): SplitText
  /** The whole text again. */
  join(owner: string, found: SplitText): string
  drop(owner: string, parts: number): void
}

export function createLongTexts({ rows }: ObjectDatabase): LongTexts {
  function drop(owner: string, parts: number): void {
    if (parts > 0) rows('DELETE FROM parley_parts WHERE owner = ?', owner)
  }

  return {
    drop,
    split(owner, text) {
      const [first = '', ...rest] = cut(text)
      for (const [part, value] of rest.entries()) {
        rows('INSERT INTO parley_parts (owner, part, text) VALUES (?, ?, ?)', owner, part, value)
      }
      return { text: first, parts: rest.length }
    },
    join(owner, { text, parts }) {
      if (parts === 0) return text
      const query = 'SELECT text FROM parley_parts WHERE owner = ? ORDER BY part'
      return (
        text +
        rows<{ text: string }>(query, owner)
          .map((row) => row.text)
          .join('')
      )
    },
  }
}

/** Never between the two halves of a character. */
function cut(text: string): readonly string[] {
  if (text.length <= maxUnits) return [text]
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const end = at + maxUnits
    const isSplit = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00
    pieces.push(text.slice(at, isSplit ? end - 1 : end))
    at = isSplit ? end - 1 : end
  }
  return pieces
}

/** A part of a text, counted in characters as people and other languages count them. */
export interface Cut {
  /** What to show: the part, or an error in tags. */
  readonly shown: string
  /** The part itself. */
  readonly part: string
  /** Where the next part begins, if there is one. */
  readonly next?: number
  readonly total: number
}

/** The part of a text from `start`, no longer than `most`, and how to get the next one. */
export function cutText(text: string, start: number, most: number): Cut {
  const { slice, total } = charactersOf(text)
  if (start >= total) {
    return { shown: '<error>No more content available.</error>', part: '', total }
  }
  const end = Math.min(start + most, total)
  const part = slice(start, end)
  if (end === total) return { shown: part, part, total }
  const more = `<error>Content truncated. Call the fetch tool with a start_index of ${end} to get more content.</error>`
  return { shown: `${part}\n\n${more}`, part, next: end, total }
}

/** Only text with characters beyond the basic plane has to be taken apart. */
function charactersOf(text: string): {
  readonly total: number
  slice(start: number, end: number): string
} {
  if (!/[\ud800-\udfff]/.test(text)) {
    return { total: text.length, slice: (start, end) => text.slice(start, end) }
  }
  const indexes = new Uint32Array(text.length + 1)
  let total = 0
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    indexes[total] = at
    total += 1
  }
  indexes[total] = text.length
  return { total, slice: (start, end) => text.slice(indexes[start], indexes[end]) }
}

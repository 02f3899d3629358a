/**
 * Finds commands and things by what was typed.
 *
 * Every word must occur, in any order, in the name, the description or the group; names count most, and beginnings of words more
 * than their insides. If nothing has all words, letters that occur in the name in the typed order are enough. Of equal matches the
 * one that was used last comes first. No page and no framework: the palette draws what this returns.
 */

/** One line of the palette, as far as finding goes. */
export interface Findable {
  readonly id: string
  readonly label: string
  readonly description?: string | undefined
}

/** Lines under one heading. */
export interface FindableGroup<Item extends Findable> {
  readonly title: string
  readonly items: readonly Item[]
}

/** A line that matches, with the parts of its label to mark. */
export interface Found<Item extends Findable> {
  readonly item: Item
  /** Start and end of each marked part, in order. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** Found lines under one heading. */
export interface FoundGroup<Item extends Findable> {
  readonly title: string
  readonly found: readonly Found<Item>[]
}

const maxRecent = 5
const maxUntyped = 8
const maxFound = 60

/** Returns what to show for a query; for an empty one the recent lines, then the first of each group. */
export function findInPalette<Item extends Findable>(
  groups: readonly FindableGroup<Item>[],
  query: string,
  recentIds: readonly string[],
): readonly FoundGroup<Item>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return listUntyped(groups, recentIds)
  const byWords = collect(groups, recentIds, (item, title) => matchWords(item, title, words))
  return byWords.length > 0
    ? byWords
    : collect(groups, recentIds, (item) => matchLetters(item, words.join('')))
}

function listUntyped<Item extends Findable>(
  groups: readonly FindableGroup<Item>[],
  recentIds: readonly string[],
): readonly FoundGroup<Item>[] {
  const all = groups.flatMap(({ items }) => items)
  const recent = recentIds
    .flatMap((id) => all.find((item) => item.id === id) ?? [])
    .slice(0, maxRecent)
  return [{ title: 'Recent', items: recent }, ...groups]
    .map(({ title, items }, at) => ({
      title,
      found: (at === 0 ? items : items.filter((item) => !recent.includes(item)))
        .slice(0, maxUntyped)
        .map((item) => ({ item, marks: [] })),
    }))
    .filter(({ found }) => found.length > 0)
}

interface Match {
  readonly score: number
  readonly marks: Found<Findable>['marks']
}

/** The best group first, and in each the best line first. */
function collect<Item extends Findable>(
  groups: readonly FindableGroup<Item>[],
  recentIds: readonly string[],
  match: (item: Item, title: string) => Match | undefined,
): readonly FoundGroup<Item>[] {
  const scored = groups.flatMap(({ title, items }) => {
    const found = items.flatMap((item) => {
      const matched = match(item, title)
      if (matched === undefined) return []
      const recent = recentIds.indexOf(item.id)
      const recency = recent === -1 ? 0 : 0.5 / (recent + 1)
      return [{ item, marks: matched.marks, score: matched.score + recency }]
    })
    if (found.length === 0) return []
    const sorted = found.toSorted((a, b) => b.score - a.score)
    return [{ title, found: sorted.slice(0, maxFound), best: sorted[0]?.score ?? 0 }]
  })
  return scored.toSorted((a, b) => b.best - a.best).map(({ title, found }) => ({ title, found }))
}

function matchWords(item: Findable, title: string, words: readonly string[]): Match | undefined {
  const label = item.label.toLowerCase()
  const rest = `${item.description ?? ''} ${title}`.toLowerCase()
  const marks: [number, number][] = []
  let score = 0
  for (const word of words) {
    const at = findWord(label, word)
    if (at !== -1) {
      marks.push([at, at + word.length])
      score += isWordStart(label, at) ? 4 : 2
      if (at === 0) score += 1
    } else if (rest.includes(word)) score += 1
    else return undefined
  }
  // Of two names with the same words, the one with less around them.
  return { score: score - label.length / 1000, marks: joinMarks(marks) }
}

/** Prefers the beginning of a word. */
function findWord(label: string, word: string): number {
  for (let at = label.indexOf(word); at !== -1; at = label.indexOf(word, at + 1)) {
    if (isWordStart(label, at)) return at
  }
  return label.indexOf(word)
}

function isWordStart(label: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(label[at - 1] ?? '')
}

function matchLetters(item: Findable, letters: string): Match | undefined {
  const label = item.label.toLowerCase()
  const marks: [number, number][] = []
  let at = -1
  for (const letter of letters) {
    at = label.indexOf(letter, at + 1)
    if (at === -1) return undefined
    marks.push([at, at + 1])
  }
  const spread = at - (marks[0]?.[0] ?? 0)
  return { score: -spread, marks: joinMarks(marks) }
}

function joinMarks(marks: readonly [number, number][]): readonly (readonly [number, number])[] {
  const joined: [number, number][] = []
  for (const [start, end] of marks.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

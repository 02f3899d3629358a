/** How suggestions are found. */
export interface RankOptions {
  /** @defaultValue 100, which is what one answer takes */
  readonly maxCompletions?: number | undefined
}

/** Of what was typed, so much is looked at. */
const maxTyped = 200

/**
 * Those of the candidates that fit what was typed, the best first: the same, then what begins with it, has a word that
 * begins with it, has it anywhere, or has its letters in this order. Among equals the shorter ones come first, then as
 * they were given. Case makes no difference. Takes time in proportion to the length of all candidates.
 */
export function rankCompletions(
  typed: string,
  candidates: Iterable<string>,
  { maxCompletions = 100 }: RankOptions = {},
): string[] {
  const wanted = typed.slice(0, maxTyped).toLowerCase()
  const found: { readonly text: string; readonly rank: number }[] = []
  for (const text of new Set(candidates)) {
    const rank = rankOf(wanted, text)
    if (rank !== undefined) found.push({ text, rank })
  }
  // With nothing typed the order of the author is the best there is.
  if (wanted !== '') {
    found.sort((a, b) => a.rank - b.rank || a.text.length - b.text.length)
  }
  return found.slice(0, maxCompletions).map(({ text }) => text)
}

/** Undefined if it does not fit at all. */
function rankOf(wanted: string, text: string): number | undefined {
  const lower = text.toLowerCase()
  if (lower === wanted) return 0
  const at = lower.indexOf(wanted)
  if (at === 0) return 1
  if (at > 0) return beginsWord(lower, text, wanted) ? 2 : 3
  return hasInOrder(lower, wanted) ? 4 : undefined
}

/** Whether some occurrence is at the beginning of a word: after a separator, or where small letters become capital. */
function beginsWord(lower: string, text: string, wanted: string): boolean {
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' '
    if (/[^\p{L}\p{N}]/u.test(before)) return true
    if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[at] ?? '')) return true
  }
  return false
}

function hasInOrder(text: string, wanted: string): boolean {
  let next = 0
  for (let at = 0; at < text.length && next < wanted.length; at += 1) {
    if (text[at] === wanted[next]) next += 1
  }
  return next === wanted.length
}

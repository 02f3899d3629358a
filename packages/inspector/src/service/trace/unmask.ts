import { masked } from '@parley/foundation/trace'
import type { JsonValue } from '@parley/mcp'

import { ProblemError } from '../problem.ts'

type Member = JsonValue | undefined

/**
 * An edited value with what was hidden in it put back: each mask becomes what stood in its place in `original`, which was
 * shown as `shown`. Refuses a text where it cannot be known which mask stands for what.
 */
export function unmask(value: Member, original: Member, shown: Member): Member {
  if (typeof value === 'string') return unmaskText(value, original, shown)
  if (!isTree(value)) return value
  const [from, seen] = [isTree(original) ? original : {}, isTree(shown) ? shown : {}]
  if (Array.isArray(value)) {
    const [items, seenItems] = [Object.values(from), Object.values(seen)]
    return value.map((item: JsonValue, at) => unmask(item, items[at], seenItems[at]) ?? null)
  }
  const members = new Map<string, Member>(Object.entries(from))
  const knownSeen = new Map<string, Member>(Object.entries(seen))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      unmask(member, members.get(name), knownSeen.get(name)),
    ]),
  )
}

function unmaskText(text: string, original: Member, shown: Member): JsonValue {
  const parts = text.split(masked)
  if (parts.length === 1) return text
  if (text === shown && original !== undefined) return original
  const hidden = typeof original === 'string' ? hiddenIn(original, shown) : []
  if (hidden.length === parts.length - 1) {
    return parts.map((part, at) => part + (hidden[at] ?? '')).join('')
  }
  throw new ProblemError('masked_edited', `the masked part of ${JSON.stringify(text)} was edited`, {
    hint: `Leave each ${masked} of a text in its order, or write the whole text again.`,
  })
}

/** What stands in `original` where `shown` has a mask, in order. */
function hiddenIn(original: string, shown: Member): readonly string[] {
  if (typeof shown !== 'string') return []
  const [first = '', ...rest] = shown.split(masked)
  const last = rest.pop()
  if (last === undefined) return []
  const pieces: string[] = []
  const end = original.length - last.length
  let at = first.length
  for (const part of rest) {
    const next = original.indexOf(part, at + 1)
    if (part === '' || next < 0 || next > end) return [] // two masks side by side have no border
    pieces.push(original.slice(at, next))
    at = next + part.length
  }
  return [...pieces, original.slice(at, end)]
}

function isTree(value: Member): value is Exclude<JsonValue, string | number | boolean | null> {
  return typeof value === 'object' && value !== null
}

/**
 * An index of tools by name and words, with synonyms and weights. A query is scored against every tool that has one of its words; equal
 * scores are ordered by name, so that results are stable.
 *
 * Words only, without a model. The tools for a model are in `search-tools.ts`.
 */

import type { FoundTool, SearchableTool } from './offer.ts'
import { isSameDocument, searchDocument, type SearchDocument } from './search-document.ts'
import {
  bitCount,
  createWordIndex,
  maxSlots,
  type QueryWord,
  type WordMatch,
} from './word-index.ts'
import { isAction, queryWords, synonymsOf, words } from './words.ts'

/** Tools by name and by words. */
export interface SearchIndex {
  readonly size: number
  /** Tools that the last update had beyond the limit. */
  readonly leftOut: number
  get(name: string): SearchableTool | undefined
  all(): Iterable<SearchableTool>
  /** Changes what differs. Of two tools of one name the first counts. */
  update(tools: Iterable<SearchableTool>): void
  /** The best of those that fit, and how many fit in all. */
  search(query: string, options: IndexQuery): IndexAnswer
}

export interface IndexQuery {
  /** How many are needed. */
  readonly count: number
  /** @defaultValue all of them */
  readonly isWanted?: ((tool: SearchableTool) => boolean) | undefined
}

export interface IndexAnswer {
  /** The best first. */
  readonly found: readonly FoundTool[]
  readonly total: number
}

interface Indexed {
  readonly tool: SearchableTool
  readonly slot: number
}

/** Words of one query; the rest of a longer one is ignored. */
const maxWords = 24
const maxQueryCharacters = 1_000
/** The weight of a synonym, relative to the requested word. */
const synonymWeight = 0.4
/** The weight of `create` beside `invoice`: nearly every server can create something. */
const actionWeight = 0.5

const fields = [
  ['name', 4],
  ['title', 3],
  ['description', 1],
  ['arguments', 0.6],
  ['keywords', 1.5],
] as const satisfies readonly (readonly [keyof SearchDocument, number])[]
const fieldWeights = fields.map(([, weight]) => weight)

export function createSearchIndex(limit: number): SearchIndex {
  const maxTools = Math.min(limit, maxSlots / 2) // removed ones take slots until they are half
  let indexed = new Map<string, Indexed>()
  /** By slot. */
  let tools: (SearchableTool | undefined)[] = []
  let current: readonly SearchableTool[] = []
  let leftOut = 0
  let texts = createWordIndex(fieldWeights)

  function update(now: Iterable<SearchableTool>): void {
    const list = Array.isArray(now) ? (now as readonly SearchableTool[]) : [...now]
    if (isSameList(list, current)) return
    current = [...list]
    const first = new Map<string, SearchableTool>()
    leftOut = 0
    for (const tool of list) {
      if (first.has(tool.name)) continue
      if (first.size < maxTools) first.set(tool.name, tool)
      else leftOut += 1
    }
    for (const [name, { slot }] of indexed) if (!first.has(name)) drop(slot)
    const before = indexed
    indexed = new Map()
    for (const tool of first.values()) indexed.set(tool.name, keep(tool, before.get(tool.name)))
    if (texts.removedCount > indexed.size) rebuild()
  }

  /** The words of a tool that says the same as before stay. */
  function keep(tool: SearchableTool, before: Indexed | undefined): Indexed {
    if (before?.tool === tool) return before
    const document = searchDocument(tool)
    if (before !== undefined) {
      if (isSameDocument(searchDocument(before.tool), document)) {
        tools[before.slot] = tool
        return { tool, slot: before.slot }
      }
      drop(before.slot)
    }
    return { tool, slot: put(tool, document) }
  }

  function put(tool: SearchableTool, document: SearchDocument): number {
    const slot = texts.add(fields.map(([field]) => words(document[field])))
    tools[slot] = tool
    return slot
  }

  function drop(slot: number): void {
    texts.remove(slot)
    tools[slot] = undefined
  }

  function rebuild(): void {
    texts = createWordIndex(fieldWeights)
    tools = []
    const all = [...indexed.values()]
    indexed = new Map(
      all.map(({ tool }) => [tool.name, { tool, slot: put(tool, searchDocument(tool)) }]),
    )
  }

  return {
    get size() {
      return indexed.size
    },
    get leftOut() {
      return leftOut
    },
    get: (name) => indexed.get(name)?.tool,
    *all() {
      for (const { tool } of indexed.values()) yield tool
    },
    update,
    search(query, { count, isWanted = () => true }) {
      const queryTerms = queryWords(query.slice(0, maxQueryCharacters)).slice(0, maxWords)
      const named = query.trim()
      const best = createBest(count)
      let total = 0
      texts.search(wordsOf(queryTerms), (match) => {
        const tool = tools[match.slot]
        if (tool === undefined || !isWanted(tool)) return
        total += 1
        const isNamed = tool.name === named
        const score = isNamed ? Infinity : match.score * coverage(match, queryTerms.length) ** 2
        best.offer(tool, score)
      })
      return { found: best.sorted(), total }
    },
  }
}

function isSameList(a: readonly SearchableTool[], b: readonly SearchableTool[]): boolean {
  return a.length === b.length && a.every((tool, at) => tool === b[at])
}

/** The best first; equal ones by name, so that an answer is the same every time. */
function isBetter(score: number, name: string, other: FoundTool): boolean {
  if (score !== other.score) return score > other.score
  return name < other.tool.name
}

/** Keeps the best of many: a heap with the worst of them on top. */
function createBest(count: number) {
  const heap: FoundTool[] = []

  function isWorse(a: number, b: number): boolean {
    const { tool, score } = heap[a]!
    return !isBetter(score, tool.name, heap[b]!)
  }

  function swap(a: number, b: number): void {
    const swapped = heap[a]!
    heap[a] = heap[b]!
    heap[b] = swapped
  }

  function rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >>> 1
      if (!isWorse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }

  function sink(): void {
    for (let at = 0; ;) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isWorse(child, worst)) worst = child
      }
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  return {
    offer(tool: SearchableTool, score: number): void {
      const worst = heap[0]
      if (heap.length < count) {
        heap.push({ tool, score })
        rise(heap.length - 1)
      } else if (worst !== undefined && isBetter(score, tool.name, worst)) {
        heap[0] = { tool, score }
        sink()
      }
    },
    sorted: () => heap.toSorted((a, b) => (isBetter(a.score, a.tool.name, b) ? -1 : 1)),
  }
}

/** The words that are looked for: those that were asked for, and their synonyms. */
function wordsOf(queryTerms: readonly string[]): readonly QueryWord[] {
  const others = new Set(queryTerms.flatMap(synonymsOf))
  for (const word of queryTerms) others.delete(word)
  const bitsOf = (fits: (word: string) => boolean) =>
    queryTerms.reduce((sum, word, at) => (fits(word) ? sum | (1 << at) : sum), 0)
  return [...queryTerms, ...others].map((word) => ({
    word,
    weight: (others.has(word) ? synonymWeight : 1) * (isAction(word) ? actionWeight : 1),
    isLoose: !others.has(word),
    bits: bitsOf((term) => term === word),
    synonymBits: bitsOf((term) => synonymsOf(term).includes(word)),
  }))
}

/** The share of the asked words that a tool has in some form: one that has all of them goes before one that has one often. */
function coverage({ bits, synonymBits }: WordMatch, askedCount: number): number {
  return (bitCount(bits) + 0.8 * bitCount(synonymBits & ~bits)) / askedCount
}

import MiniSearch, { type SearchResult } from 'minisearch'

import type { FoundTool, SearchableTool } from './offer.ts'
import { isSameDocument, searchDocument, type SearchDocument } from './search-document.ts'
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
  /** Those that fit, the best first. */
  search(query: string, isWanted?: (tool: SearchableTool) => boolean): readonly FoundTool[]
}

interface Indexed {
  readonly tool: SearchableTool
  readonly document: SearchDocument
}

/** Words of one query; the rest of a longer one is ignored. */
const maxWords = 24
const maxQueryCharacters = 1_000
/** What a synonym counts beside the word that was asked for. */
const synonymWeight = 0.4
/** What `create` counts beside `invoice`: nearly every server can create something. */
const actionWeight = 0.5

export function createSearchIndex(maxTools: number): SearchIndex {
  let indexed = new Map<string, Indexed>()
  let leftOut = 0
  let texts = createTexts()

  function update(tools: Iterable<SearchableTool>): void {
    const next = new Map<string, Indexed>()
    const added: SearchDocument[] = []
    const removed: SearchDocument[] = []
    leftOut = 0
    for (const tool of tools) {
      if (next.has(tool.name)) continue
      if (next.size >= maxTools) {
        leftOut++
        continue
      }
      const before = indexed.get(tool.name)
      if (before?.tool === tool) {
        next.set(tool.name, before)
        continue
      }
      const document = searchDocument(tool)
      if (before !== undefined && isSameDocument(before.document, document)) {
        next.set(tool.name, { tool, document: before.document })
        continue
      }
      if (before !== undefined) removed.push(before.document)
      added.push(document)
      next.set(tool.name, { tool, document })
    }
    for (const [name, { document }] of indexed) if (!next.has(name)) removed.push(document)
    indexed = next
    change(added, removed)
  }

  function change(added: readonly SearchDocument[], removed: readonly SearchDocument[]): void {
    if (removed.length * 2 > indexed.size) {
      texts = createTexts() // cheaper than to take most of it out
      texts.addAll([...indexed.values()].map(({ document }) => document))
      return
    }
    for (const document of removed) texts.remove(document)
    texts.addAll(added)
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
    search(query, isWanted = () => true) {
      const asked = queryWords(query.slice(0, maxQueryCharacters)).slice(0, maxWords)
      const found: FoundTool[] = []
      for (const result of searchTexts(texts, asked)) {
        const tool = indexed.get(String(result.id))?.tool
        if (tool === undefined || !isWanted(tool)) continue
        const isNamed = tool.name === query.trim()
        found.push({
          tool,
          score: isNamed ? Infinity : result.score * coverage(result, asked) ** 2,
        })
      }
      return found.toSorted(byScore)
    },
  }
}

/** The best first; equal ones by name, so that an answer is the same every time. */
function byScore(one: FoundTool, other: FoundTool): number {
  if (one.score !== other.score) return other.score - one.score
  return one.tool.name < other.tool.name ? -1 : 1
}

function createTexts(): MiniSearch<SearchDocument> {
  return new MiniSearch<SearchDocument>({
    fields: ['name', 'title', 'description', 'arguments', 'keywords'],
    tokenize: words,
    processTerm: (term) => term,
  })
}

function searchTexts(
  texts: MiniSearch<SearchDocument>,
  asked: readonly string[],
): readonly SearchResult[] {
  const others = new Set(asked.flatMap(synonymsOf))
  for (const word of asked) others.delete(word)
  return texts.search([...asked, ...others].join(' '), {
    tokenize: (text) => text.split(' '),
    boost: { name: 4, title: 3, keywords: 1.5, description: 1, arguments: 0.6 },
    boostTerm: (term) =>
      (others.has(term) ? synonymWeight : 1) * (isAction(term) ? actionWeight : 1),
    prefix: (term) => term.length >= 2 && !others.has(term),
    fuzzy: (term) => (term.length >= 4 && !others.has(term) ? 0.2 : false),
    maxFuzzy: 2,
  })
}

/** The share of the asked words that a tool has in some form: one that has all of them goes before one that has one often. */
function coverage({ queryTerms }: SearchResult, asked: readonly string[]): number {
  const had = new Set(queryTerms)
  let count = 0
  for (const word of asked) {
    if (had.has(word)) count += 1
    else if (synonymsOf(word).some((other) => had.has(other))) count += 0.8
  }
  return count / asked.length
}

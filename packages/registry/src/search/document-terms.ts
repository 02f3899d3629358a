/**
 * Says under which terms a document is found, and how well each of them fits: all that search knows about ranking.
 *
 * A term is the stem of a word. Its score is computed once, when a version is listed, and stored; a search reads the
 * highest scores from an index and adds those of its words. A match in the part of the name after the slash counts most,
 * then the title, and both before any number of matches elsewhere: the description, the namespace, packages. A name or
 * title made of fewer words fits better than one with many. The owner of a domain whose name is looked for comes first:
 * `com.github/github-mcp-server` for `github`. Used by `storage/search-index.ts`; reading is in `storage/find-matches.ts`.
 */
import type { ServerDocument } from '../document/server-document.ts'
import { isCommonWord, joinedPairs, stemOf, tellingWords, wordsOf } from './words.ts'

/** A score of at least this is a match in the name or the title. */
export const nameScore = 64

/** Terms of one document. */
const maxTerms = 300
/** Words of packages and of the repository. */
const maxPackageWords = 100

/** What one document is found by. */
export interface DocumentTerms {
  readonly scores: ReadonlyMap<string, number>
  /** Every word with its term. */
  readonly words: ReadonlyMap<string, DocumentWord>
}

/** A word of a document. */
export interface DocumentWord {
  readonly term: string
  /** It is in the name or the title: its typos are worth correcting. */
  readonly isName: boolean
  /** The document has it as several words. */
  readonly isJoined: boolean
}

/** The terms of a document with their scores. */
export function documentTerms(document: ServerDocument): DocumentTerms {
  const { name, title = '', description, packages = [], repository } = document
  const { nameWords, ownWords, namespaceWords, domainWords } = readName(name)
  const top = new Map<string, number>()
  const rest = new Map<string, number>()
  const words = new Map<string, DocumentWord>()

  function add(scores: Map<string, number>, values: readonly WordPoints[]): void {
    const own = new Map<string, number>()
    for (const [word, points, isJoined = false] of values) {
      const term = stemOf(word)
      const before = words.get(word)
      const isName = scores === top || (before?.isName ?? false)
      words.set(word, { term, isName, isJoined: isJoined && (before?.isJoined ?? true) })
      own.set(term, Math.max(own.get(term) ?? 0, points))
    }
    for (const [term, points] of own) scores.set(term, (scores.get(term) ?? 0) + points)
  }

  add(top, sharesOf(nameWords, 100))
  add(top, sharesOf(tellingWords(wordsOf(title)), 40))
  add(
    top,
    nameWords.filter((word) => domainWords.includes(word)).map((word) => [word, 45] as const),
  )
  add(
    top,
    [...ownWords, ...wordsOf(title)].filter(isCommonWord).map((word) => [word, 1] as const),
  )
  if (ownWords.length === 1) add(top, [[ownWords[0] ?? '', 6]])
  add(
    rest,
    wordsOf(description)
      .filter((word) => !isCommonWord(word))
      .map((word, at) => [word, at < 6 ? 34 : 30] as const),
  )
  add(
    rest,
    [...namespaceWords, ...joinedPairs(namespaceWords)].map((word) => [word, 14] as const),
  )
  const more = packages.flatMap(({ registryType, identifier }) => [registryType, identifier])
  const packageWords = wordsOf([...more, repository?.url ?? ''].join(' ')).slice(0, maxPackageWords)
  add(
    rest,
    packageWords.map((word) => [word, 6] as const),
  )

  const scores = [...new Set([...top.keys(), ...rest.keys()])]
    .slice(0, maxTerms)
    .map((term): [string, number] => [
      term,
      (top.get(term) ?? 0) * nameScore + Math.min(nameScore - 1, rest.get(term) ?? 0),
    ])
  return { scores: new Map(scores), words }
}

type WordPoints = readonly [word: string, points: number, isJoined?: boolean]

/** Each word fits by its share of the text; so do two neighbours, and all of them, written as one word. */
function sharesOf(words: readonly string[], points: number): readonly WordPoints[] {
  const fit = (count: number) => Math.round(points * (0.4 + (0.6 * count) / words.length))
  const allJoined: WordPoints = [words.join('').slice(0, 64), fit(words.length), true]
  return [
    ...words.map((word): WordPoints => [word, fit(1)]),
    ...joinedPairs(words).map((word): WordPoints => [word, fit(2), true]),
    ...(words.length > 2 ? [allJoined] : []),
  ]
}

/** Forges give a namespace to everybody: the name of the forge says nothing about a server. */
const forge = /^(?:io|com)\.(?:github|gitlab)\.(?=.)/

function readName(name: string) {
  const slash = name.indexOf('/')
  const namespace = name.slice(0, slash)
  const isForge = forge.test(namespace)
  const owner = isForge ? namespace.replace(forge, '') : namespace.replace(/^[^.]*\./, '')
  const namespaceWords = wordsOf(owner)
  const ownWords = wordsOf(name.slice(slash + 1))
  const notifying = ownWords.filter((word) => !isCommonWord(word))
  // `com.notion/mcp` is named by its namespace.
  const nameWords = notifying.length > 0 || isForge ? tellingWords(ownWords) : namespaceWords
  return { nameWords, ownWords, namespaceWords, domainWords: isForge ? [] : namespaceWords }
}

/**
 * The words of many documents, and which documents fit a query best.
 *
 * An inverted index in typed arrays: a word has a list of numbers, each of which says document, field and how often. A query
 * adds up scores (BM25+ by field) in arrays that are used again, so that a word of every document costs no object for each.
 * Words count by themselves, as the beginning of a longer one, and with typing errors.
 *
 * `tool-index.ts` uses it; what the documents are is settled there.
 */

/** A word of a query. */
export interface QueryWord {
  readonly word: string
  /** The weight, relative to the others. */
  readonly weight: number
  /** Whether longer words that begin with it, and words with typing errors, count too. */
  readonly isLoose: boolean
  /** The bits of the words that were asked for which it stands for, and of those it is a synonym of. */
  readonly bits: number
  readonly synonymBits: number
}

/** A document that has a word of the query. Both members with `Bits` are those of all words that it has. */
export interface WordMatch {
  readonly slot: number
  readonly score: number
  readonly bits: number
  readonly synonymBits: number
}

// A posting: 20 bits for the document, 3 for the field, 8 for how often.
const slotShift = 11
const fieldShift = 8
const maxCount = 0xff
/** Documents of one index. */
export const maxSlots = 2 ** 20
const maxFields = 8

// The usual constants of BM25+.
const k = 1.2
const b = 0.7
const d = 0.5
const prefixWeight = 0.375
const typoWeight = 0.45
const minPrefixLength = 2
const minTypoLength = 4
const maxTypos = 2

interface Term {
  readonly word: string
  /** The letters it has, as bits: words whose letters differ much are not compared. */
  readonly letters: number
  occurrences: Uint32Array
  length: number
}

/** An empty index of documents whose fields have these weights. */
export function createWordIndex(fieldWeights: readonly number[]) {
  const fieldCount = fieldWeights.length
  if (fieldCount > maxFields) throw new Error(`an index has at most ${maxFields} fields`)
  const terms = new Map<string, Term>()
  /** In order, to find those with one beginning; undefined after a new word. */
  let sorted: readonly Term[] | undefined
  let slotCount = 0
  let liveCount = 0
  let isLive = new Uint8Array(64)
  let lengths = new Uint16Array(64 * fieldCount)
  const lengthSums = new Float64Array(fieldCount)
  const fieldFactors = new Float64Array(fieldCount)
  let scores = new Float64Array(0)
  let bits = new Uint32Array(0)
  let synonyms = new Uint32Array(0)
  let touched = new Uint32Array(0)

  /** Adds a document by the words of its fields, and returns its slot. */
  function add(fields: readonly (readonly string[])[]): number {
    const slot = slotCount++
    if (slot >= isLive.length) {
      isLive = grown(isLive, slot * 2)
      lengths = grown(lengths, slot * 2 * fieldCount)
    }
    isLive[slot] = 1
    liveCount += 1
    for (const [field, found] of fields.entries()) {
      const counts = new Map<string, number>()
      for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
      lengths[slot * fieldCount + field] = counts.size
      lengthSums[field]! += counts.size
      for (const [word, count] of counts) post(word, slot, field, count)
    }
    return slot
  }

  function post(word: string, slot: number, field: number, count: number): void {
    let term = terms.get(word)
    if (term === undefined) {
      term = { word, letters: lettersOf(word), occurrences: new Uint32Array(2), length: 0 }
      terms.set(word, term)
      sorted = undefined
    }
    if (term.length === term.occurrences.length)
      term.occurrences = grown(term.occurrences, term.length * 2)
    term.occurrences[term.length++] =
      ((slot << slotShift) | (field << fieldShift) | Math.min(count, maxCount)) >>> 0
  }

  /** The document is not found any more; its words stay until the index is made anew. */
  function remove(slot: number): void {
    if (isLive[slot] !== 1) return
    isLive[slot] = 0
    liveCount -= 1
    for (let field = 0; field < fieldCount; field += 1) {
      lengthSums[field]! -= lengths[slot * fieldCount + field]!
    }
  }

  function search(query: readonly QueryWord[], onMatch: (match: WordMatch) => void): void {
    if (scores.length < slotCount) {
      scores = new Float64Array(isLive.length)
      bits = new Uint32Array(isLive.length)
      synonyms = new Uint32Array(isLive.length)
      touched = new Uint32Array(isLive.length)
    }
    let touchedCount = 0

    function score(term: Term, weight: number, word: QueryWord): void {
      const { occurrences, length } = term
      const matching = new Uint32Array(fieldCount)
      for (let at = 0; at < length; at += 1) {
        const occurrence = occurrences[at]!
        if (isLive[occurrence >>> slotShift] === 1) matching[(occurrence >>> fieldShift) & 7]! += 1
      }
      for (let field = 0; field < fieldCount; field += 1) {
        const count = matching[field]!
        const rarity = Math.log(1 + (liveCount - count + 0.5) / (count + 0.5))
        fieldFactors[field] = weight * word.weight * fieldWeights[field]! * rarity
      }
      for (let at = 0; at < length; at += 1) {
        const occurrence = occurrences[at]!
        const slot = occurrence >>> slotShift
        if (isLive[slot] !== 1) continue
        const field = (occurrence >>> fieldShift) & 7
        const count = occurrence & maxCount
        const average = lengthSums[field]! / liveCount
        const relative = lengths[slot * fieldCount + field]! / average
        const frequency = d + (count * (k + 1)) / (count + k * (1 - b + b * relative))
        if (scores[slot] === 0) touched[touchedCount++] = slot
        scores[slot]! += fieldFactors[field]! * frequency
        bits[slot]! |= word.bits
        synonyms[slot]! |= word.synonymBits
      }
    }

    for (const word of query) {
      const exact = terms.get(word.word)
      if (exact !== undefined) score(exact, 1, word)
      if (word.isLoose) forLooseTerms(word.word, (term, weight) => score(term, weight, word))
    }
    for (let at = 0; at < touchedCount; at += 1) {
      const slot = touched[at]!
      onMatch({ slot, score: scores[slot]!, bits: bits[slot]!, synonymBits: synonyms[slot]! })
      scores[slot] = 0
      bits[slot] = 0
      synonyms[slot] = 0
    }
  }

  /** Longer words that begin with a word, and words with a typing error, with what they count. */
  function forLooseTerms(word: string, use: (term: Term, weight: number) => void): void {
    const { length } = word
    if (length < minPrefixLength) return
    sorted ??= [...terms.values()].toSorted((a, right) => (a.word < right.word ? -1 : 1))
    const from = firstFrom(sorted, word)
    for (let at = from; at < sorted.length; at += 1) {
      const term = sorted[at]!
      if (!term.word.startsWith(word)) break
      const distance = term.word.length - length
      if (distance > 0)
        use(term, (prefixWeight * term.word.length) / (term.word.length + 0.3 * distance))
    }
    if (length < minTypoLength) return
    const most = Math.min(maxTypos, Math.round(length * 0.2))
    const letters = lettersOf(word)
    for (const term of sorted) {
      if (Math.abs(term.word.length - length) > most) continue
      if (bitCount(term.letters ^ letters) > 2 * most || term.word.startsWith(word)) continue
      const distance = typosBetween(word, term.word, most)
      if (distance <= most)
        use(term, (typoWeight * term.word.length) / (term.word.length + distance))
    }
  }

  return {
    /** Documents that were removed, and still take memory. */
    get removedCount() {
      return slotCount - liveCount
    },
    get slotCount() {
      return slotCount
    },
    add,
    remove,
    search,
  }
}

function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  numbers: Numbers,
  length: number,
): Numbers {
  const Same = numbers.constructor as new (length: number) => Numbers // of the same kind
  const longer = new Same(Math.max(length, numbers.length * 2))
  longer.set(numbers)
  return longer
}

/** Where words from this one on begin. */
function firstFrom(sorted: readonly Term[], word: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]!.word < word) low = middle + 1
    else high = middle
  }
  return low
}

/** One bit for each of 32 kinds of characters. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

/** How many bits of a number are set. */
export function bitCount(number: number): number {
  let rest = number
  let count = 0
  for (; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** How many characters have to be added, removed or replaced; more than `most` is not counted out. */
function typosBetween(a: string, right: string, most: number): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at]
    let least = at
    for (let to = 1; to <= right.length; to += 1) {
      const isSame = a.charCodeAt(at - 1) === right.charCodeAt(to - 1)
      const cost = Math.min(row[to - 1]! + (isSame ? 0 : 1), row[to]! + 1, next[to - 1]! + 1)
      next.push(cost)
      if (cost < least) least = cost
    }
    if (least > most) return least
    row = next
  }
  return row[right.length]!
}

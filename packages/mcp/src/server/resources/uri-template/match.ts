/**
 * Matches a URI against a compiled template and returns the decoded variables. Takes time linear in the length of the URI, whatever the
 * template: marks each element once per character instead of backtracking.
 *
 * Long URIs and those with another beginning stop early. `compile.ts` makes the elements; `ScanMeter` lets a test count the steps.
 */

import {
  type Capture,
  type CompiledTemplate,
  type Scanner,
  readQuery,
  type QueryRule,
} from './compile.ts'
import { decodeValue, encodeReserved } from './syntax.ts'

/** Decoded values by variable; has no prototype, so any name is safe to look up. */
export type UriMatch = Record<string, string | readonly string[] | undefined>

export type UriMatcher = (uri: string, meter?: ScanMeter) => UriMatch | undefined

/** Prepares matching. */
export function createUriMatcher({ path, query, fragment }: CompiledTemplate): UriMatcher {
  const prefix = plainPrefix(path)

  return (input, meter) => {
    if (input.length > maxUriLength || !input.startsWith(prefix)) return undefined
    const isPlain = plainUri.test(input)
    if (!isPlain && malformedPercent.test(input)) return undefined
    const uri = isPlain ? input : encodeReserved(input)
    const cuts = cutUri(uri, query, fragment !== undefined)
    const match: UriMatch = Object.create(null) as UriMatch // an empty object fits every index signature

    if (!readScanned(path, uri.slice(0, cuts.pathEnd), match, meter)) return undefined
    if (query && !readQuery(query, uri.slice(cuts.pathEnd + 1, cuts.queryEnd), match))
      return undefined
    const rest = uri.slice(cuts.queryEnd)
    if (fragment) return readScanned(fragment, rest, match, meter) ? match : undefined
    return rest === '' ? match : undefined
  }
}

/** Longer URIs match nothing. */
export const maxUriLength = 65_536

/** Nothing in it is encoded or would have to be. */
const plainUri = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]*$/
const malformedPercent = /%(?![0-9A-Fa-f]{2})/

/** A template with a query or a fragment gives `?` and `#` their meaning; else they are characters like others. */
function cutUri(uri: string, query: QueryRule | undefined, hasFragment: boolean) {
  const hash = query || hasFragment ? uri.indexOf('#') : -1
  const queryEnd = hash === -1 ? uri.length : hash
  if (!query) return { pathEnd: queryEnd, queryEnd }
  const mark = uri.indexOf('?')
  return { pathEnd: mark === -1 || mark > queryEnd ? queryEnd : mark, queryEnd }
}

function readScanned(scanner: Scanner, text: string, match: UriMatch, meter?: ScanMeter): boolean {
  const captured = scanText(scanner.elements, text, meter)
  if (!captured) return false
  return scanner.captures.every((capture, index) => {
    const value = readCapture(capture, captured[index] ?? '')
    if (value === undefined) return false
    match[capture.variable.name] = value
    return true
  })
}

function readCapture({ variable, separator, named }: Capture, text: string) {
  const pieces = variable.explode ? text.split(separator) : [text]
  const values: string[] = []
  for (const [index, piece] of pieces.entries()) {
    // The scanner has read the first `;name`, so only the others still carry it.
    const raw = named
      ? readNamed(index === 0 ? variable.name + piece : piece, variable.name)
      : piece
    const value = raw === undefined ? undefined : decodeValue(raw, variable.maxLength)
    if (value === undefined) return undefined
    values.push(value)
  }
  return variable.explode ? values : values[0]
}

function readNamed(piece: string, name: string): string | undefined {
  if (piece === name) return ''
  return piece.startsWith(`${name}=`) ? piece.slice(name.length + 1) : undefined
}

/** Returns the text that every match starts with, however its URI is encoded. Most URIs belong to another template and stop here. */
function plainPrefix({ elements }: Scanner): string {
  const text = elements[0]?.kind === 'literal' ? elements[0].text : ''
  const percent = text.indexOf('%')
  return percent === -1 ? text : text.slice(0, percent)
}

/** A piece of a template as the scanner sees it: fixed text, or a run of characters to capture. */
export type ScanElement = ScanLiteral | ScanSpan

export interface ScanLiteral {
  readonly kind: 'literal'
  readonly text: string
}

export interface ScanSpan {
  readonly kind: 'span'
  /** The characters a span does not run over. */
  readonly excluded: string
  /** When given, the span may be empty, and if it is not, it starts with one of these. Else it is never empty. */
  readonly lead: string | undefined
  /** Takes as much as the rest allows instead of as little. */
  readonly greedy: boolean
}

/** Counts the steps of a scan, so that a test can show that they grow with the text and no faster. */
interface ScanMeter {
  steps: number
}

/**
 * Cuts `text` into what each span captured, or says that it does not fit. Where several cuts fit, earlier spans
 * decide first, each by its `greedy`.
 *
 * A first pass from the right marks, for every element, the positions from which the rest fits. A second pass from the
 * left then never has to go back. Both visit each position at most once per element.
 */
function scanText(
  elements: readonly ScanElement[],
  text: string,
  meter?: ScanMeter,
): readonly string[] | undefined {
  const head = elements[0]
  const tail = elements.at(-1)
  if (head?.kind === 'literal' && !text.startsWith(head.text)) return undefined
  if (tail?.kind === 'literal' && !text.endsWith(tail.text)) return undefined

  const matches = markFits(elements, text, meter)
  return matches[0] === 1 ? cut(elements, text, matches, meter) : undefined
}

/** One row of `text.length + 1` marks per element: does the text from here on fit this element and those after it? */
function markFits(
  elements: readonly ScanElement[],
  text: string,
  meter: ScanMeter | undefined,
): Uint8Array {
  const width = text.length + 1
  const matches = new Uint8Array((elements.length + 1) * width)
  matches[matches.length - 1] = 1 // the end fits nothing more
  for (let index = elements.length - 1; index >= 0; index--) {
    const element = elements[index]
    if (element === undefined) continue
    const row = index * width
    if (element.kind === 'literal') markLiteral(matches, row, text, element.text, meter)
    else markSpan(matches, row, text, element, meter)
  }
  return matches
}

function markLiteral(
  matches: Uint8Array,
  row: number,
  text: string,
  literal: string,
  meter: ScanMeter | undefined,
): void {
  const next = row + text.length + 1 + literal.length
  for (let at = 0; at + literal.length <= text.length; at++) {
    if (meter) meter.steps += literal.length
    if (matches[next + at] !== 1 || !text.startsWith(literal, at)) continue
    // Never inside a percent-encoded triplet: the 2 of `%2F` is not a 2.
    if (text.charAt(at - 1) !== '%' && text.charAt(at - 2) !== '%') matches[row + at] = 1
  }
}

function markSpan(
  matches: Uint8Array,
  row: number,
  text: string,
  { excluded, lead }: ScanSpan,
  meter: ScanMeter | undefined,
): void {
  const next = row + text.length + 1
  let isAhead = false // a span from `at`, of one character or more, reaches a fit
  if (lead !== undefined && matches[next + text.length] === 1) matches[row + text.length] = 1
  for (let at = text.length - 1; at >= 0; at--) {
    if (meter) meter.steps++
    const character = text.charAt(at)
    isAhead = !excluded.includes(character) && (isAhead || matches[next + at + 1] === 1)
    const isEmptyFit = lead !== undefined && matches[next + at] === 1
    if (isEmptyFit || (isAhead && (lead?.includes(character) ?? true))) matches[row + at] = 1
  }
}

function cut(
  elements: readonly ScanElement[],
  text: string,
  matches: Uint8Array,
  meter: ScanMeter | undefined,
): readonly string[] {
  const width = text.length + 1
  const captured: string[] = []
  let at = 0
  for (const [index, element] of elements.entries()) {
    if (element.kind === 'literal') {
      at += element.text.length
      continue
    }
    const end = spanEnd(element, text, matches, (index + 1) * width, at, meter)
    captured.push(text.slice(at, end))
    at = end
  }
  return captured
}

/** `fits` from `next` on says where the following element can begin; the first pass proved that one is in reach. */
function spanEnd(
  { excluded, lead, greedy }: ScanSpan,
  text: string,
  matches: Uint8Array,
  next: number,
  start: number,
  meter: ScanMeter | undefined,
): number {
  let end = start
  if (lead !== undefined && matches[next + start] === 1 && !greedy) return start
  for (let at = start + 1; at <= text.length; at++) {
    if (meter) meter.steps++
    if (excluded.includes(text.charAt(at - 1))) break
    if (matches[next + at] !== 1) continue
    end = at
    if (!greedy) break
  }
  return end
}

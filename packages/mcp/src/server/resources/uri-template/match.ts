import type { Capture, CompiledTemplate, Scanner } from './compile.ts'
import { decodeValue, encodeReserved } from './percent-encoding.ts'
import { readQuery, type QueryRule } from './query.ts'
import { scanText, type ScanMeter } from './scan.ts'

/** Decoded values by variable; has no prototype, so any name is safe to look up. */
export type UriMatch = Record<string, string | readonly string[] | undefined>

export type UriMatcher = (uri: string, meter?: ScanMeter) => UriMatch | undefined

/** Prepares matching. */
export function createUriMatcher({ path, query, fragment }: CompiledTemplate): UriMatcher {
  const prefix = plainPrefix(path)

  return (given, meter) => {
    if (given.length > longestUri || !given.startsWith(prefix)) return undefined
    const isPlain = plainUri.test(given)
    if (!isPlain && malformedPercent.test(given)) return undefined
    const uri = isPlain ? given : encodeReserved(given)
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
export const longestUri = 65_536

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

/** What every match starts with, however its URI is encoded. Most URIs belong to another template and stop here. */
function plainPrefix({ elements }: Scanner): string {
  const text = elements[0]?.kind === 'literal' ? elements[0].text : ''
  const percent = text.indexOf('%')
  return percent === -1 ? text : text.slice(0, percent)
}

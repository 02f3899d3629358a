import { decodeValue } from './uri-template-decode.ts'
import { encodeReserved } from './uri-template-expand.ts'
import { readQuery } from './uri-template-query.ts'
import type { QueryRule } from './uri-template-query.ts'
import { splitRegions } from './uri-template-regions.ts'
import { scanText } from './uri-template-scan.ts'
import type { ScanElement, ScanMeter } from './uri-template-scan.ts'
import { operatorRules, refuseTemplate } from './uri-template-syntax.ts'
import type { TemplateExpression, TemplatePart, TemplateVariable } from './uri-template-syntax.ts'

/** Decoded values by variable; has no prototype, so any name is safe to look up. */
export type UriMatch = Record<string, string | readonly string[] | undefined>

export type UriMatcher = (uri: string, meter?: ScanMeter) => UriMatch | undefined

/** Prepares matching. Throws `invalid_definition` for a template whose variables could not be told apart. */
export function createUriMatcher(template: string, parts: readonly TemplatePart[]): UriMatcher {
  refuseRepeatedNames(template, parts)
  const regions = splitRegions(template, parts)
  const path = compile(template, regions.path)
  const query = regions.query
  const fragment = regions.fragment && compile(template, regions.fragment)
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

interface Scanner {
  readonly elements: readonly ScanElement[]
  readonly captures: readonly Capture[]
}
interface Capture {
  readonly variable: TemplateVariable
  readonly separator: string
  readonly named: boolean
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

function compile(template: string, parts: readonly TemplatePart[]): Scanner {
  const elements: ScanElement[] = []
  const captures: Capture[] = []
  for (const part of parts) {
    if (part.kind === 'literal') addLiteral(elements, encodeReserved(part.text))
    else addExpression(template, part, elements, captures)
  }
  return { elements, captures }
}

function addExpression(
  template: string,
  { operator, variables, position }: TemplateExpression,
  elements: ScanElement[],
  captures: Capture[],
): void {
  const { first, separator, named, reserved } = operatorRules[operator]
  for (const [index, variable] of variables.entries()) {
    addLiteral(elements, (index === 0 ? first : separator) + (named ? variable.name : ''))
    if (elements.at(-1)?.kind === 'span') {
      const cure = `put text between them, as in …/{${variable.name}}`
      throw refuseTemplate(
        template,
        position,
        `"${variable.name}" touches the variable before it`,
        cure,
      )
    }
    // Alone, `{x}` may hold a plain comma and `{.x}` a dot, as in `.tar.gz`.
    const isSeparated = variables.length > 1 || operator === '/' || operator === ';'
    const excluded = outside[operator] + (isSeparated && !variable.explode ? separator : '')
    const lead = named ? `=${variable.explode ? separator : ''}` : undefined
    const greedy = reserved || (variable.explode && !named)
    elements.push({ kind: 'span', excluded, lead, greedy })
    captures.push({ variable, separator, named })
  }
}

/** What ends a variable of each operator, besides the operator's own separator. */
const outside = {
  '': '/?#',
  '+': '',
  '#': '',
  '.': '/?#',
  '/': '?#',
  ';': '/?#',
  '?': '',
  '&': '',
} as const

function addLiteral(elements: ScanElement[], text: string): void {
  if (text === '') return
  const last = elements.at(-1)
  if (last?.kind !== 'literal') elements.push({ kind: 'literal', text })
  else elements[elements.length - 1] = { kind: 'literal', text: last.text + text }
}

function refuseRepeatedNames(template: string, parts: readonly TemplatePart[]): void {
  const seen = new Set<string>()
  for (const part of parts) {
    if (part.kind === 'literal') continue
    for (const { name } of part.variables) {
      if (seen.has(name)) {
        const cure = 'give each place its own name'
        throw refuseTemplate(template, part.position, `"${name}" is there twice`, cure)
      }
      seen.add(name)
    }
    if (seen.size > mostVariables) {
      const cure = `use at most ${mostVariables}`
      throw refuseTemplate(template, part.position, 'there are too many variables', cure)
    }
  }
}

/** Bounds the memory of one match: the scanner keeps a byte per character and element. */
const mostVariables = 64

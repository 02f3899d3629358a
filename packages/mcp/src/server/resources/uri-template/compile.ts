/**
 * Compiles a URI template (RFC 6570) for matching: the fixed texts, the spans between them, and which variable each span captures. Throws
 * `invalid_definition` if variables could not be told apart in a URI.
 *
 * The grammar is in `syntax.ts`, matching in `match.ts`, expansion in `expand.ts`. The query is a region of its own, whose parameters may
 * come in any order.
 */

import type { ScanElement } from './match.ts'
import {
  encodeReserved,
  decodeValue,
  operatorRules,
  rejectTemplate,
  type TemplateExpression,
  type TemplatePart,
  type TemplateVariable,
} from './syntax.ts'

/** A template as a URI is matched with it. */
export interface CompiledTemplate {
  readonly path: Scanner
  readonly query: QueryRule | undefined
  readonly fragment: Scanner | undefined
}

/** The fixed texts and the spans between them, and what each span holds. */
export interface Scanner {
  readonly elements: readonly ScanElement[]
  readonly captures: readonly Capture[]
}

/** How the text of a span becomes the value of a variable. */
export interface Capture {
  readonly variable: TemplateVariable
  readonly separator: string
  readonly named: boolean
}

/** Throws `invalid_definition` for a template whose variables could not be told apart. */
export function compileTemplate(
  template: string,
  parts: readonly TemplatePart[],
): CompiledTemplate {
  rejectRepeatedNames(template, parts)
  const { path, query, fragment } = splitRegions(template, parts)
  return {
    path: compile(template, path),
    query,
    fragment: fragment && compile(template, fragment),
  }
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
      const fix = `put text between them, as in …/{${variable.name}}`
      throw rejectTemplate(
        template,
        position,
        `"${variable.name}" touches the variable before it`,
        fix,
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

/** Characters that end a variable of each operator, besides the operator's own separator. */
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

function rejectRepeatedNames(template: string, parts: readonly TemplatePart[]): void {
  const seen = new Set<string>()
  for (const part of parts) {
    if (part.kind === 'literal') continue
    for (const { name } of part.variables) {
      if (seen.has(name)) {
        const fix = 'give each place its own name'
        throw rejectTemplate(template, part.position, `"${name}" is there twice`, fix)
      }
      seen.add(name)
    }
    if (seen.size > maxVariables) {
      const fix = `use at most ${maxVariables}`
      throw rejectTemplate(template, part.position, 'there are too many variables', fix)
    }
  }
}

/** Bounds the memory of one match: the scanner keeps a byte per character and element. */
const maxVariables = 64

/** A template split the way a URI is. Without `{?…}` or `{&…}` there is no query region: `?` is ordinary text. */
export interface TemplateRegions {
  readonly path: readonly TemplatePart[]
  readonly query: QueryRule | undefined
  readonly fragment: readonly TemplatePart[] | undefined
}

/** Throws `invalid_definition` when the parts stand in an order in which no URI could be read back. */
function splitRegions(template: string, parts: readonly TemplatePart[]): TemplateRegions {
  const path: TemplatePart[] = []
  let query: { fixed: readonly string[]; variables: Map<string, TemplateVariable> } | undefined
  let fragment: TemplatePart[] | undefined

  for (const part of parts) {
    if (part.kind === 'expression' && (part.operator === '?' || part.operator === '&')) {
      if (fragment) throw reject(template, part, 'comes after a fragment', 'move it before the "#"')
      query = openQuery(template, part, path, query)
      for (const variable of part.variables) query.variables.set(variable.name, variable)
      continue
    }
    const hash = part.kind === 'literal' ? part.text.indexOf('#') : part.operator === '#' ? 0 : -1
    if (fragment || hash === 0) {
      fragment ??= []
      fragment.push(part)
    } else if (query) {
      const fix =
        'only {&…} or a fragment may follow; put fixed parameters before, as in ?kind=note{&page}'
      throw reject(template, part, 'comes after the query', fix)
    } else if (hash > 0 && part.kind === 'literal') {
      path.push({ ...part, text: part.text.slice(0, hash) })
      fragment = [{ ...part, text: part.text.slice(hash), position: part.position + hash }]
    } else {
      path.push(part)
    }
  }
  return { path, query, fragment }
}

function openQuery(
  template: string,
  part: TemplateExpression,
  path: TemplatePart[],
  query: { fixed: readonly string[]; variables: Map<string, TemplateVariable> } | undefined,
) {
  const names = part.variables.map(({ name }) => name).join(',')
  const hasMark = path.some((before) => before.kind === 'literal' && before.text.includes('?'))
  if (part.operator === '?') {
    if (query || hasMark) throw reject(template, part, 'is a second query', `write {&${names}}`)
    return { fixed: [], variables: new Map<string, TemplateVariable>() }
  }
  if (query) return query
  const last = path.at(-1)
  const mark = last?.kind === 'literal' ? last.text.indexOf('?') : -1
  if (last?.kind !== 'literal' || mark === -1) {
    const fix = hasMark ? 'name every parameter in one {?…}' : `write {?${names}}`
    throw reject(template, part, 'does not follow a "?" with fixed parameters', fix)
  }
  path[path.length - 1] = { ...last, text: last.text.slice(0, mark) }
  const fixed = last.text.slice(mark + 1).split('&')
  return {
    fixed: fixed.filter((parameter) => parameter !== ''),
    variables: new Map<string, TemplateVariable>(),
  }
}

function reject(template: string, { position }: TemplatePart, problem: string, fix: string) {
  return rejectTemplate(template, position, `this part ${problem}`, fix)
}

/** The rule of a template for the query of a URI. */
export interface QueryRule {
  /** Fixed parameters, such as the one in `?kind=note{&page}`; each must be there as written. */
  readonly fixed: readonly string[]
  /** By name, each optional. */
  readonly variables: ReadonlyMap<string, TemplateVariable>
}

/**
 * Reads parameters in any order into `match`; false when the query does not fit. Parameters the template does not name
 * are ignored. One that is there twice fits only a list (`{?tag*}`). A plus is a plus: this is RFC 3986, not a form.
 */
export function readQuery(
  { fixed, variables }: QueryRule,
  query: string,
  match: Record<string, string | readonly string[] | undefined>,
): boolean {
  const missing = new Set(fixed)
  const lists = new Map<string, string[]>()
  for (const parameter of query.split('&')) {
    if (parameter === '' || missing.delete(parameter)) continue
    const equals = parameter.indexOf('=')
    const name = equals === -1 ? parameter : parameter.slice(0, equals)
    const variable = variables.get(name)
    const value = decodeValue(equals === -1 ? '' : parameter.slice(equals + 1), variable?.maxLength)
    if (value === undefined) return false
    if (!variable) continue
    if (!variable.explode) {
      if (name in match) return false
      match[name] = value
      continue
    }
    const list = lists.get(name) ?? []
    list.push(value)
    lists.set(name, list)
  }
  for (const [name, list] of lists) match[name] = list
  return missing.size === 0
}

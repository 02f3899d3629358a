import { encodeReserved } from './percent-encoding.ts'
import type { QueryRule } from './query.ts'
import { splitRegions } from './regions.ts'
import type { ScanElement } from './scan.ts'
import {
  operatorRules,
  refuseTemplate,
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
  refuseRepeatedNames(template, parts)
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

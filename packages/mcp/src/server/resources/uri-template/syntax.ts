/**
 * The grammar of URI templates (RFC 6570): parses a template into literals and expressions, and encodes and decodes values. Bounded by the
 * length of a template.
 *
 * Knows nothing of matching; `compile.ts` and `expand.ts` use the parts.
 */

import { McpError } from '../../../rpc/errors/mcp-error.ts'

/** A URI template taken apart, in order. Positions count from 0 and are for error messages. */
export type TemplatePart = TemplateLiteral | TemplateExpression

export interface TemplateLiteral {
  readonly kind: 'literal'
  readonly position: number
  readonly text: string
}

export interface TemplateExpression {
  readonly kind: 'expression'
  readonly position: number
  readonly operator: Operator
  readonly variables: readonly TemplateVariable[]
}

export interface TemplateVariable {
  readonly name: string
  /** `{name*}`: a list, one element at a time. */
  readonly explode: boolean
  /** `{name:3}`: only so many characters of the value. */
  readonly maxLength: number | undefined
}

export type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&'

/** How each operator expands: the table of RFC 6570, appendix A. */
export const operatorRules = {
  '': { first: '', separator: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', separator: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
} as const satisfies Record<Operator, OperatorRule>

export interface OperatorRule {
  readonly first: string
  readonly separator: string
  readonly named: boolean
  readonly ifEmpty: string
  readonly reserved: boolean
}

/** Takes a template apart by the grammar of RFC 6570 alone. Throws `invalid_definition` where it does not fit. */
export function parseTemplateParts(template: string): readonly TemplatePart[] {
  if (template.length > maxTemplateLength) {
    throw rejectTemplate(
      template,
      maxTemplateLength,
      'is too long',
      `keep it under ${maxTemplateLength} characters`,
    )
  }
  const parts: TemplatePart[] = []
  let position = 0
  while (position < template.length) {
    const part =
      template[position] === '{'
        ? parseExpression(template, position)
        : parseLiteral(template, position)
    parts.push(part.value)
    position = part.end
  }
  return parts
}

/** The error for a template that cannot be used: where, why and the cure. */
export function rejectTemplate(
  template: string,
  position: number,
  problem: string,
  fix: string,
): McpError {
  const shown = template.length > 200 ? `${template.slice(0, 200)}…` : template
  return new McpError(
    'invalid_definition',
    `URI template ${JSON.stringify(shown)}, position ${position}: ${problem}; ${fix}`,
    { details: { feature: template } },
  )
}

/** Far beyond any real template; bounds the work of one that came from a stranger. */
const maxTemplateLength = 4096

const notLiteral = /[\u0000-\u0020"<>\\^`|}\u007f]|%(?![0-9A-Fa-f]{2})/ // oxlint-disable-line no-control-regex -- RFC 6570 2.1 excludes them
const variableName = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*$/
const prefixLength = /^[1-9][0-9]{0,3}$/

interface Parsed<Part> {
  readonly value: Part
  readonly end: number
}

function parseLiteral(template: string, position: number): Parsed<TemplateLiteral> {
  const brace = template.indexOf('{', position)
  const end = brace === -1 ? template.length : brace
  const text = template.slice(position, end)
  const bad = notLiteral.exec(text)
  if (bad) {
    const fix = bad[0] === '}' ? 'open it with "{" or write %7D' : 'percent-encode it'
    throw rejectTemplate(
      template,
      position + bad.index,
      `${JSON.stringify(bad[0])} cannot stand here`,
      fix,
    )
  }
  return { value: { kind: 'literal', position, text }, end }
}

function parseExpression(template: string, position: number): Parsed<TemplateExpression> {
  const close = template.indexOf('}', position)
  if (close === -1) throw rejectTemplate(template, position, '"{" is never closed', 'add "}"')
  const first = template[position + 1] ?? ''
  if ('=,!@|'.includes(first)) {
    throw rejectTemplate(
      template,
      position + 1,
      `operator ${first} is reserved`,
      'use + # . / ; ? & or none',
    )
  }
  const operator = isOperator(first) ? first : ''
  const start = position + 1 + operator.length
  const variables: TemplateVariable[] = []
  let at = start
  for (const text of template.slice(start, close).split(',')) {
    variables.push(parseVariable(template, at, text))
    at += text.length + 1
  }
  return { value: { kind: 'expression', position, operator, variables }, end: close + 1 }
}

function parseVariable(template: string, position: number, text: string): TemplateVariable {
  const explode = text.endsWith('*')
  const [name = '', length, ...rest] = (explode ? text.slice(0, -1) : text).split(':')
  if (!variableName.test(name)) {
    const problem =
      name === '' ? 'a variable has no name' : `${JSON.stringify(name)} is not a variable name`
    throw rejectTemplate(
      template,
      position,
      problem,
      'use letters, digits, "_" and single dots between them',
    )
  }
  if (length === undefined) return { name, explode, maxLength: undefined }
  if (explode || rest.length > 0 || !prefixLength.test(length)) {
    throw rejectTemplate(
      template,
      position,
      `"${text}" has no valid length`,
      `write {${name}:n}, n from 1 to 9999, or {${name}*}`,
    )
  }
  return { name, explode, maxLength: Number(length) }
}

function isOperator(text: string): text is Exclude<Operator, ''> {
  return text !== '' && text in operatorRules
}

/** The names of the variables, in order. */
export function variablesOf(parts: readonly TemplatePart[]): readonly string[] {
  return parts.flatMap((part) =>
    part.kind === 'expression' ? part.variables.map(({ name }) => name) : [],
  )
}

/** True for text meant as a template, well-formed or not: braces may not stand in a plain URI. */
export function isUriTemplate(text: string): boolean {
  return text.includes('{') || text.includes('}')
}

/** Percent-encodes all that may not stand in a URI, leaving reserved characters and encoded triplets alone. */
export function encodeReserved(text: string): string {
  return text.replaceAll(notInUri, encodeURIComponent).replaceAll(loneSurrogate, encodedReplacement)
}

const notInUri = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%\p{Surrogate}]+|%(?![0-9A-Fa-f]{2})/gu
/** With the `u` flag a surrogate in a pair is not one. */
export const loneSurrogate = /\p{Surrogate}/gu
const encodedReplacement = '%EF%BF%BD'

/** Decodes one captured value; undefined when it is not UTF-8, or longer than `{name:n}` allows. */
export function decodeValue(raw: string, maxLength: number | undefined): string | undefined {
  const value = decodePercent(raw)
  if (value === undefined || maxLength === undefined) return value
  return Array.from(value).length > maxLength ? undefined : value
}

function decodePercent(raw: string): string | undefined {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined // not UTF-8: the answer is that it does not match
  }
}

/**
 * URI templates (RFC 6570) as the official SDK has them, with its limits and its peculiarities: an expression of several variables is
 * expanded without encoding, and matches its first variable only.
 */

export type Variables = Record<string, string | string[]>

interface Expression {
  readonly operator: string
  readonly names: readonly string[]
  readonly isExploded: boolean
}

const maxLength = 1_000_000
const maxExpressions = 10_000
const operators = ['+', '#', '.', '/', '?', '&']

export class UriTemplate {
  private readonly template: string
  private readonly parts: readonly (string | Expression)[]

  /** Says whether a text has an expression in braces. */
  static isTemplate(str: string): boolean {
    return /\{[^}\s]+\}/.test(str)
  }

  private static validateLength(text: string, limit: number, what: string): void {
    if (text.length > limit) {
      throw new Error(`${what} exceeds maximum length of ${limit} characters (got ${text.length})`)
    }
  }

  constructor(template: string) {
    UriTemplate.validateLength(template, maxLength, 'Template')
    this.template = template
    this.parts = parse(template)
    for (const { names } of this.expressions) {
      for (const name of names) UriTemplate.validateLength(name, maxLength, 'Variable name')
    }
  }

  get variableNames(): string[] {
    return this.expressions.flatMap(({ names }) => names)
  }

  private get expressions(): Expression[] {
    return this.parts.filter((part) => typeof part !== 'string')
  }

  toString(): string {
    return this.template
  }

  /** Puts values in; an expression without values becomes nothing. */
  expand(variables: Variables): string {
    let hasQuery = false
    let text = ''
    for (const part of this.parts) {
      if (typeof part === 'string') {
        text += part
        continue
      }
      const expanded = expandPart(part, variables)
      if (expanded === '') continue
      const isQuery = part.operator === '?' || part.operator === '&'
      // A second query expression goes on with the first.
      text += part.operator === '?' && hasQuery ? expanded.replace('?', '&') : expanded
      if (isQuery) hasQuery = true
    }
    return text
  }

  /** Returns the values that give the URI; `null` if none do. */
  match(uri: string): Variables | null {
    UriTemplate.validateLength(uri, maxLength, 'URI')
    let source = '^'
    const names: { name: string; isExploded: boolean }[] = []
    for (const part of this.parts) {
      if (typeof part === 'string') source += escapeRegExp(part)
      else
        for (const { pattern, name } of patternsOf(part)) {
          source += pattern
          names.push({ name, isExploded: part.isExploded })
        }
    }
    source += '$'
    UriTemplate.validateLength(source, maxLength, 'Generated regex pattern')
    const found = new RegExp(source).exec(uri)
    if (!found) return null
    const variables: Variables = {}
    for (const [index, { name, isExploded }] of names.entries()) {
      const value = found[index + 1] ?? ''
      variables[name] = isExploded && value.includes(',') ? value.split(',') : value
    }
    return variables
  }
}

function parse(template: string): (string | Expression)[] {
  const parts: (string | Expression)[] = []
  let text = ''
  let position = 0
  let count = 0
  while (position < template.length) {
    if (template[position] !== '{') {
      text += template[position++]
      continue
    }
    if (text) parts.push(text)
    text = ''
    const end = template.indexOf('}', position)
    if (end === -1) throw new Error('Unclosed template expression')
    if (++count > maxExpressions) {
      throw new Error(`Template contains too many expressions (max ${maxExpressions})`)
    }
    parts.push(parseExpression(template.slice(position + 1, end)))
    position = end + 1
  }
  if (text) parts.push(text)
  return parts
}

function parseExpression(source: string): Expression {
  const operator = operators.find((candidate) => source.startsWith(candidate)) ?? ''
  const names = source
    .slice(operator.length)
    .split(',')
    .map((name) => name.replace('*', '').trim())
    .filter((name) => name !== '')
  return { operator, names, isExploded: source.includes('*') }
}

function expandPart({ operator, names }: Expression, variables: Variables): string {
  const encode = (value: string): string => {
    if (value.length > maxLength) {
      throw new Error(
        `Variable value exceeds maximum length of ${maxLength} characters (got ${value.length})`,
      )
    }
    return operator === '+' || operator === '#' ? encodeURI(value) : encodeURIComponent(value)
  }
  const encodeAll = (value: string | string[]): string => [value].flat().map(encode).join(',')

  if (operator === '?' || operator === '&') {
    const pairs = names.flatMap((name) => {
      const value = variables[name]
      return value === undefined ? [] : [`${name}=${encodeAll(value)}`]
    })
    return pairs.length === 0 ? '' : operator + pairs.join('&')
  }
  if (names.length > 1) {
    return names
      .flatMap((name) => {
        const value = variables[name]
        return value === undefined ? [] : [Array.isArray(value) ? value[0] : value]
      })
      .join(',')
  }
  const value = variables[names[0] ?? '']
  if (value === undefined) return ''
  const encoded = [value].flat().map(encode)
  if (operator === '.') return `.${encoded.join('.')}`
  if (operator === '/') return `/${encoded.join('/')}`
  return (operator === '#' ? '#' : '') + encoded.join(',')
}

function patternsOf({
  operator,
  names,
  isExploded,
}: Expression): { pattern: string; name: string }[] {
  if (operator === '?' || operator === '&') {
    return names.map((name, index) => ({
      pattern: `${index === 0 ? `\\${operator}` : '&'}${escapeRegExp(name)}=([^&]+)`,
      name,
    }))
  }
  const [name] = names
  if (name === undefined) return []
  const list = '([^/,]+(?:,[^/,]+)*)'
  const single = '([^/,]+)'
  if (operator === '+' || operator === '#') return [{ pattern: '(.+)', name }]
  if (operator === '.') return [{ pattern: `\\.${single}`, name }]
  const value = isExploded ? list : single
  return [{ pattern: operator === '/' ? `/${value}` : value, name }]
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

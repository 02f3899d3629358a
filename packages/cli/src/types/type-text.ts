import { safeJson, safeText } from '@parley/foundation/terminal'
import { isJsonObject } from '@parley/mcp/json'

/** A type as it is written. */
export interface TypeText {
  readonly text: string
  /** Whether something may stand beside it without brackets. */
  readonly isWhole: boolean
}

/** Deeper than this nobody reads on, and a schema may contain itself. */
export const maxDepth = 12

/** Where types can say nothing. */
export const unknownType = whole('unknown')

export function whole(text: string): TypeText {
  return { text, isWhole: true }
}

/** One of these; whatever one of them says nothing about, all of them say nothing about. */
export function union(types: readonly TypeText[]): TypeText {
  const texts = new Map(types.map((type) => [type.text, type]))
  if (texts.size === 0 || texts.has('unknown')) return unknownType
  return joined([...texts.values()], ' | ')
}

/** All of these at once. */
export function intersection(types: readonly TypeText[]): TypeText {
  const texts = new Map(types.map((type) => [type.text, type]))
  texts.delete('unknown')
  return texts.size === 0 ? unknownType : joined([...texts.values()], ' & ')
}

function joined(types: readonly TypeText[], sign: string): TypeText {
  const [first] = types
  if (first !== undefined && types.length === 1) return first
  return { text: types.map(grouped).join(sign), isWhole: false }
}

/** In brackets where it needs them. */
export function grouped({ text, isWhole }: TypeText): string {
  return isWhole ? text : `(${text})`
}

/** A value that is its own type. */
export function literal(value: unknown, depth = 0): TypeText {
  if (depth > maxDepth) return unknownType
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, depth + 1).text)
    return { text: `readonly [${items.join(', ')}]`, isWhole: false }
  }
  if (!isJsonObject(value)) return whole(safeJson(value))
  const members = Object.entries(value).map(
    ([name, item]) => `readonly ${keyOf(name)}: ${literal(item, depth + 1).text}`,
  )
  return members.length === 0 ? whole('Record<never, never>') : braces(members)
}

/** Members, each in lines of its own. */
export function braces(members: readonly string[]): TypeText {
  return whole(`{\n${indented(members)}\n}`)
}

/** A step further in. No text of a server has line breaks left when it comes here. */
export function indented(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(/^/gm, '  ')
}

/** As a member is written. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : safeJson(name)
}

/** A description as a comment in a line of its own, which cannot end early. */
export function commentOf(description: unknown): string {
  if (typeof description !== 'string') return ''
  const line = description.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim()
  if (line === '') return ''
  const short = line.length > 200 ? `${line.slice(0, 200)}…` : line
  return `/** ${safeText(short, { multiline: false }).replaceAll('*/', '* /')} */\n`
}

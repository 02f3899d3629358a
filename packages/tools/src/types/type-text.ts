import { isJsonObject } from '@parley/mcp/json'

/** A type as it is written. */
export interface TypeText {
  /** The source. */
  readonly text: string
  /** Whether something may stand beside it without brackets. */
  readonly isWhole: boolean
}

/** How types are written. */
export interface TypeStyle {
  /** Makes a text of a stranger harmless to show, in one line. */
  escapeText(text: string): string
  /** A JSON value as harmless source. */
  escapeJson(value: unknown): string
  /** Members in lines of their own, read-only and with their descriptions; or all in one line, for models. @defaultValue 'lines' */
  readonly layout?: 'lines' | 'line' | undefined
  /** Values of an enumeration that are written; of more the number is. @defaultValue no limit */
  readonly maxChoices?: number | undefined
}

/** Deeper than this nobody reads on, and a schema may contain itself. */
export const maxDepth = 12

/** The type of what a schema says nothing about. */
export const unknownType = whole('unknown')

/** A type that needs no brackets. */
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

/** A step further in. No text of a server has line breaks left when it comes here. */
export function indented(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(/^/gm, '  ')
}

/** Writes the parts of types in one style. */
export interface TypeWriter {
  /** The mark before a member, and before the type of a list. */
  readonly readonlyMark: string
  /** A value that is its own type. */
  literal(value: unknown): TypeText
  /** One of these values. */
  choices(values: readonly unknown[]): TypeText
  /** An object with these members. */
  braces(members: readonly string[]): TypeText
  /** A name as a member is called. */
  keyOf(name: string): string
  /** A description as a comment in a line of its own, which cannot end early. */
  commentOf(description: unknown): string
}

/** A writer of one style. */
export function createTypeWriter({
  escapeText,
  escapeJson,
  layout = 'lines',
  maxChoices = Number.POSITIVE_INFINITY,
}: TypeStyle): TypeWriter {
  const isFlat = layout === 'line'
  const readonlyMark = isFlat ? '' : 'readonly '

  function braces(members: readonly string[]): TypeText {
    return whole(isFlat ? `{ ${members.join('; ')} }` : `{\n${indented(members)}\n}`)
  }

  function keyOf(name: string): string {
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : escapeJson(name)
  }

  function literal(value: unknown, depth = 0): TypeText {
    if (depth > maxDepth) return unknownType
    if (Array.isArray(value)) {
      const items = value.map((one) => literal(one, depth + 1).text)
      return { text: `${readonlyMark}[${items.join(', ')}]`, isWhole: isFlat }
    }
    if (!isJsonObject(value)) return whole(escapeJson(value))
    const members = Object.entries(value).map(
      ([name, one]) => `${readonlyMark}${keyOf(name)}: ${literal(one, depth + 1).text}`,
    )
    return members.length === 0 ? whole('Record<never, never>') : braces(members)
  }

  return {
    readonlyMark,
    braces,
    keyOf,
    literal: (value) => literal(value),
    choices(values) {
      const written = union(values.slice(0, maxChoices).map((value) => literal(value)))
      const left = values.length - maxChoices
      if (left <= 0) return written
      return { text: `${written.text} /* ${left} more */`, isWhole: false }
    },
    commentOf(description) {
      const short = shortened(description, isFlat ? 120 : 200)
      if (short === '') return ''
      return `/** ${commentSafe(escapeText(short))} */${isFlat ? ' ' : '\n'}`
    },
  }
}

function shortened(description: unknown, maxCharacters: number): string {
  if (typeof description !== 'string') return ''
  const line = description.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim()
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line
}

function commentSafe(text: string): string {
  return text.replaceAll('*/', '* /')
}

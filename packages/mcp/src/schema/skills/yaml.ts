import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { readFlow } from './yaml-flow.ts'
import {
  checkDepth,
  isBlank,
  isRestEmpty,
  nextContent,
  splitLines,
  YamlProblem,
  type YamlLine,
  type YamlLines,
} from './yaml-lines.ts'
import {
  readQuoted,
  readQuotedInLine,
  checkKey,
  isBlockHeader,
  readBlockScalar,
  readPlain,
} from './yaml-scalars.ts'

/** What YAML says, or why it was not understood. */
export type YamlReading =
  | { readonly kind: 'fields'; readonly fields: JsonObject }
  | { readonly kind: 'problem'; readonly problem: string }

/**
 * Reads the part of YAML 1.2 that people write above a text: keys and values, nested or not, lists, text in quotes, over
 * several lines, folded or as it stands, and collections in brackets within a line. Refuses all else, rather than guess:
 * anchors, aliases, tags, merge keys, keys that are no text, brackets over several lines, several documents.
 */
export function readYaml(text: string, firstLine = 1): YamlReading {
  try {
    const source = splitLines(text, firstLine)
    const fields = readNode(source, -1, 0)
    const left = nextContent(source)
    if (left !== undefined) throw new YamlProblem(left.number, 'does not belong to what is above')
    return isJsonObject(fields)
      ? { kind: 'fields', fields }
      : { kind: 'problem', problem: 'these are no lines of the form "key: value"' }
  } catch (error) {
    if (error instanceof YamlProblem) return { kind: 'problem', problem: error.message }
    throw error
  }
}

/** Whatever comes next and is indented more than `above`; nothing is null. */
function readNode(source: YamlLines, above: number, depth: number): JsonValue {
  const line = nextContent(source)
  if (line === undefined || line.indent <= above) return null
  checkDepth(depth, line.number)
  if (isItem(line.text)) return readSequence(source, line.indent, depth)
  if (splitKey(line) !== undefined) return readMapping(source, line.indent, depth)
  source.at += 1
  return readInline(source, line, line.text, above, depth)
}

function readMapping(source: YamlLines, indent: number, depth: number): JsonObject {
  const members = new Map<string, JsonValue>()
  for (;;) {
    const line = nextContent(source)
    if (line === undefined || line.indent < indent) return Object.fromEntries(members)
    if (line.indent > indent) throw new YamlProblem(line.number, 'is indented too far')
    const entry = isItem(line.text) ? undefined : splitKey(line)
    if (entry === undefined) throw new YamlProblem(line.number, 'is not of the form "key: value"')
    if (members.has(entry.key)) throw new YamlProblem(line.number, `has the key ${entry.key} again`)
    source.at += 1
    members.set(entry.key, readMember(source, line, entry.rest, indent, depth))
  }
}

/** Behind its key or below it; a list may stand as far left as the key. */
function readMember(
  source: YamlLines,
  line: YamlLine,
  rest: string,
  indent: number,
  depth: number,
): JsonValue {
  if (!isRestEmpty(rest)) {
    return readInline(source, line, rest.replace(/^[ \t]+/, ''), indent, depth)
  }
  const next = nextContent(source)
  if (next?.indent === indent && isItem(next.text)) return readSequence(source, indent, depth + 1)
  return readNode(source, indent, depth + 1)
}

function readSequence(source: YamlLines, indent: number, depth: number): JsonValue {
  const items: JsonValue[] = []
  for (;;) {
    const line = nextContent(source)
    if (line === undefined || line.indent < indent) return items
    if (line.indent > indent) throw new YamlProblem(line.number, 'is indented too far')
    if (!isItem(line.text)) return items
    const rest = line.text.slice(1)
    if (isRestEmpty(rest)) source.at += 1
    else {
      // What follows the dash is a node of its own, as if it stood in its own line.
      const text = rest.replace(/^ +/, '')
      const own = { ...line, indent: indent + line.text.length - text.length, text }
      source.lines[source.at] = own
    }
    items.push(readNode(source, indent, depth + 1))
  }
}

/** A value that begins within a line. */
function readInline(
  source: YamlLines,
  { number }: YamlLine,
  text: string,
  above: number,
  depth: number,
): JsonValue {
  if (isBlockHeader(text)) return readBlockScalar(source, text, above, number)
  if (/^["']/.test(text)) {
    const { value, rest } = readQuoted(source, text, above, number)
    return whole(value, rest, number)
  }
  if (/^[[{]/.test(text)) {
    const { value, rest } = readFlow(text, number, depth + 1)
    return whole(value, rest, number)
  }
  return readPlain(source, text, above, number)
}

function whole(value: JsonValue, rest: string, line: number): JsonValue {
  if (!isRestEmpty(rest)) throw new YamlProblem(line, 'has text behind the end of a value')
  return value
}

function isItem(text: string): boolean {
  return /^-(?: |$)/.test(text)
}

/** The key of a line and what follows its colon; undefined for a line without one. */
function splitKey({ text, number }: YamlLine):
  | {
      readonly key: string
      readonly rest: string
    }
  | undefined {
  if (/^\?(?: |$)/.test(text)) throw new YamlProblem(number, 'has a key that is no plain text')
  if (/^["']/.test(text)) {
    const quoted = readQuotedInLine(text, number)
    const after = quoted && /^[ \t]*:(?=[ \t]|$)(.*)$/.exec(quoted.rest)
    return after ? { key: quoted.value, rest: after[1] ?? '' } : undefined
  }
  if (/^[[{|>]/.test(text)) return undefined
  const colon = text.search(/:(?:[ \t]|$)|[ \t]#/)
  if (colon === -1 || text.charAt(colon) !== ':') return undefined
  const key = text.slice(0, colon).replace(/[ \t]+$/, '')
  if (isBlank(key)) throw new YamlProblem(number, 'has no key before its colon')
  checkKey(key, number)
  return { key, rest: text.slice(colon + 1) }
}

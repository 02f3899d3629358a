import type { JsonObject, JsonValue } from '../json.ts'
import { checkDepth, YamlProblem } from './yaml-lines.ts'
import { readQuotedInLine, checkKey, checkPlain, resolvePlain } from './yaml-scalars.ts'

/** A value, and what stood behind it. */
interface Flow<Value = JsonValue> {
  readonly value: Value
  readonly rest: string
}

/** `[a, b]` or `{ a: b }`, which must end in its line. */
export function readFlow(text: string, line: number, depth: number): Flow {
  checkDepth(depth, line)
  return text.startsWith('[') ? readItems(text, line, depth) : readPairs(text, line, depth)
}

function readItems(text: string, line: number, depth: number): Flow {
  const items: JsonValue[] = []
  let rest = skipBlanks(text.slice(1))
  while (!rest.startsWith(']')) {
    const item = readValue(rest, line, depth)
    items.push(item.value)
    rest = skipSeparator(item.rest, ']', line)
  }
  return { value: items, rest: rest.slice(1) }
}

function readPairs(text: string, line: number, depth: number): Flow<JsonObject> {
  const members = new Map<string, JsonValue>()
  let rest = skipBlanks(text.slice(1))
  while (!rest.startsWith('}')) {
    const key = readKey(rest, line)
    if (members.has(key.value)) throw new YamlProblem(line, `has the key ${key.value} twice`)
    rest = key.rest
    let value: JsonValue = null
    if (rest.startsWith(':')) {
      rest = skipBlanks(rest.slice(1))
      if (!/^[,}]/.test(rest)) ({ value, rest } = readValue(rest, line, depth))
    }
    members.set(key.value, value)
    rest = skipSeparator(rest, '}', line)
  }
  return { value: Object.fromEntries(members), rest: rest.slice(1) }
}

function readKey(text: string, line: number): Flow<string> {
  const isQuoted = /^["']/.test(text)
  const { value, rest } = isQuoted ? quoted(text, line) : plain(text, line)
  if (!isQuoted) checkKey(value, line)
  return { value, rest: skipBlanks(rest) }
}

function readValue(text: string, line: number, depth: number): Flow {
  if (/^[[{]/.test(text)) return readFlow(text, line, depth + 1)
  if (/^["']/.test(text)) return quoted(text, line)
  const { value, rest } = plain(text, line)
  return { value: resolvePlain(value, line), rest }
}

function quoted(text: string, line: number): Flow<string> {
  const found = readQuotedInLine(text, line)
  if (found === undefined) throw new YamlProblem(line, 'has quotes that do not end in it')
  return found
}

/** Up to what ends it: a bracket, a comma, a comment, or a colon with nothing behind it that belongs to the text. */
function plain(text: string, line: number): Flow<string> {
  const end = text.search(/[,[\]{}]|:(?=[ \t,[\]{}]|$)|[ \t]#/)
  const value = (end === -1 ? text : text.slice(0, end)).replace(/[ \t]+$/, '')
  if (text === '') throw new YamlProblem(line, 'has a bracket that is not closed in it')
  if (value === '') throw new YamlProblem(line, 'has nothing between two commas or brackets')
  checkPlain(value, line)
  return { value, rest: end === -1 ? '' : text.slice(end) }
}

function skipSeparator(text: string, close: string, line: number): string {
  const rest = skipBlanks(text)
  if (rest.startsWith(close)) return rest
  if (rest.startsWith(',')) return skipBlanks(rest.slice(1))
  throw new YamlProblem(line, 'has a bracket that is not closed in it')
}

function skipBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '')
}

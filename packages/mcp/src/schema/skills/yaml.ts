/**
 * Reads the YAML that stands above the text of a `SKILL.md`: keys and values, nested by indentation, lists of values, text in
 * quotes on one line, text over several lines, folded (`>`) or literal (`|`), and comments.
 *
 * Everything else is a problem with its line number, rather than a guess: anchors, aliases, tags, merge keys, `{ a: b }`, lists
 * within lists, quotes over several lines, several documents. Authors who need those pass a parser as `parseFrontmatter`;
 * `frontmatter.ts` calls it, or this reader. It never throws, and its time is linear in the length of the text.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'

/** The fields, or the first problem. */
export type YamlReading =
  | { readonly kind: 'fields'; readonly fields: JsonObject }
  | { readonly kind: 'problem'; readonly problem: string }

/** `firstLine` is the number of the first line, for problems. */
export function readYaml(text: string, firstLine = 1): YamlReading {
  try {
    const source: Source = { lines: splitLines(text, firstLine), at: 0 }
    const fields = readNode(source, -1, 0)
    const rest = nextLine(source)
    if (rest !== undefined) throw new YamlProblem(rest, 'does not belong to what is above')
    if (isJsonObject(fields)) return { kind: 'fields', fields }
    return { kind: 'problem', problem: 'it has no lines of the form "key: value"' }
  } catch (error) {
    if (error instanceof YamlProblem) return { kind: 'problem', problem: error.message }
    throw error
  }
}

/** A problem and its line; never leaves this file. */
class YamlProblem extends Error {
  constructor({ number }: Pick<Line, 'number'>, why: string) {
    super(`line ${number} ${why}`)
  }
}

/** A line without its indentation. */
interface Line {
  readonly number: number
  readonly indent: number
  readonly text: string
}

/** Lines, and the index of the next one to read. */
interface Source {
  readonly lines: readonly Line[]
  at: number
}

const maxDepth = 16

function splitLines(text: string, firstLine: number): readonly Line[] {
  return text.split(/\r\n|\n|\r/).map((whole, index) => {
    const indent = whole.search(/[^ ]|$/)
    const line = { number: firstLine + index, indent, text: whole.slice(indent) }
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    if (/[\x00-\x08\x0b-\x1f\x7f]/.test(whole)) {
      throw new YamlProblem(line, 'has a control character')
    }
    return line
  })
}

/** The next line with content; skips comments and blank lines. */
function nextLine(source: Source): Line | undefined {
  for (; source.at < source.lines.length; source.at += 1) {
    const line = source.lines[source.at]
    if (line === undefined || /^[ \t]*(?:#|$)/.test(line.text)) continue
    if (line.text.startsWith('\t')) throw new YamlProblem(line, 'is indented with a tab')
    if (line.indent === 0 && /^(?:\.\.\.|---)(?:\s|$)/.test(line.text)) {
      throw new YamlProblem(line, 'begins or ends a document, and only one is understood')
    }
    return line
  }
  return undefined
}

/** Reads what is indented more than `above`; null if nothing is. */
function readNode(source: Source, above: number, depth: number): JsonValue {
  const line = nextLine(source)
  if (line === undefined || line.indent <= above) return null
  if (depth > maxDepth) throw new YamlProblem(line, `is nested more than ${maxDepth} deep`)
  if (isItem(line.text)) return readList(source, line.indent)
  if (keyOf(line) !== undefined) return readMap(source, line.indent, depth)
  source.at += 1
  return readValue(source, line, line.text, above)
}

function readMap(source: Source, indent: number, depth: number): JsonObject {
  const members = new Map<string, JsonValue>()
  for (let line = nextLine(source); line && line.indent >= indent; line = nextLine(source)) {
    if (line.indent > indent) throw new YamlProblem(line, 'is indented too far')
    const entry = isItem(line.text) ? undefined : keyOf(line)
    if (entry === undefined) throw new YamlProblem(line, 'is not of the form "key: value"')
    const { key, rest } = entry
    if (members.has(key)) throw new YamlProblem(line, `has the key ${key} again`)
    source.at += 1
    members.set(key, readMember(source, line, rest, depth))
  }
  return Object.fromEntries(members)
}

/** The value behind a key, or below it; a list may have the indentation of its key. */
function readMember(source: Source, line: Line, rest: string, depth: number): JsonValue {
  if (!isEmpty(rest)) return readValue(source, line, rest.trimStart(), line.indent)
  const next = nextLine(source)
  if (next?.indent === line.indent && isItem(next.text)) return readList(source, line.indent)
  return readNode(source, line.indent, depth + 1)
}

/** A list of values; each stands in the line of its dash. */
function readList(source: Source, indent: number): JsonValue {
  const items: JsonValue[] = []
  for (let line = nextLine(source); line && line.indent >= indent; line = nextLine(source)) {
    if (line.indent > indent) throw new YamlProblem(line, 'is indented too far')
    if (!isItem(line.text)) break
    const text = line.text.slice(1).trimStart()
    if (isItem(text) || (!isEmpty(text) && keyOf({ ...line, text }) !== undefined)) {
      throw new YamlProblem(line, 'has a list or keys within a list, which are not understood')
    }
    source.at += 1
    items.push(isEmpty(text) ? null : readValue(source, line, text, indent))
  }
  return items
}

/** A value that begins in this line; its other lines are indented more than `above`. */
function readValue(source: Source, line: Line, text: string, above: number): JsonValue {
  if (/^[|>]/.test(text)) return readBlock(source, line, text, above)
  if (/^["'[{]/.test(text)) {
    const { value, rest } = text.startsWith('[') ? readItems(text, line) : readScalar(text, line)
    if (!isEmpty(rest)) throw new YamlProblem(line, 'has text behind the end of a value')
    return value
  }
  return readPlain(source, line, text, above)
}

interface Reading {
  readonly value: JsonValue
  /** The text behind the value. */
  readonly rest: string
}

/** `[a, b]`, on one line. */
function readItems(text: string, line: Line): Reading {
  const items: JsonValue[] = []
  let rest = text.slice(1).trimStart()
  while (!rest.startsWith(']')) {
    const item = readScalar(rest, line, /[,[\]{}]|[ \t]#|$/)
    items.push(item.value)
    rest = item.rest.trimStart()
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart()
    else if (!rest.startsWith(']')) {
      throw new YamlProblem(line, 'has a bracket that is not closed in it')
    }
  }
  return { value: items, rest: rest.slice(1) }
}

/** Text in quotes, or up to what ends it. */
function readScalar(text: string, line: Line, end = /$/): Reading {
  const quoted = readQuoted(text, line)
  if (quoted !== undefined) return quoted
  const plain = text.slice(0, text.search(end)).trimEnd()
  if (plain === '' && text === '') {
    throw new YamlProblem(line, 'has a bracket that is not closed in it')
  }
  if (plain === '') throw new YamlProblem(line, 'has nothing between two commas or brackets')
  checkPlain(plain, line)
  return { value: resolve(plain, line), rest: text.slice(text.search(end)) }
}

/** Text in quotes, which ends in its line; undefined without quotes. */
function readQuoted(
  text: string,
  line: Line,
): { readonly value: string; readonly rest: string } | undefined {
  if (!/^["']/.test(text)) return undefined
  const found = /^"(?:[^"\\]|\\.)*"|^'(?:[^']|'')*'/.exec(text)?.[0]
  if (found === undefined) throw new YamlProblem(line, 'has quotes that do not end in it')
  const rest = text.slice(found.length)
  if (found.startsWith("'")) return { value: found.slice(1, -1).replaceAll("''", "'"), rest }
  try {
    const value = JSON.parse(found.replaceAll('\t', '\\t')) as string // JSON's escapes are YAML's
    if (!/\p{Surrogate}/u.test(value)) return { value, rest }
  } catch {
    // reported below
  }
  throw new YamlProblem(line, 'has an escape that is not understood')
}

/** Text without quotes; it may go on in lines that are indented more than `above`. */
function readPlain(source: Source, line: Line, text: string, above: number): JsonValue {
  checkPlain(withoutComment(text), line)
  let value = withoutComment(text)
  let blanks = 0
  let hasEnded = value !== text.trimEnd()
  for (let at = source.at; !hasEnded && at < source.lines.length; at += 1) {
    const next = source.lines[at]
    if (next === undefined || (!isEmpty(next.text) && next.indent <= above)) break
    const more = next.text.trim()
    if (more.startsWith('#')) break
    if (more === '') blanks += 1
    else {
      checkColon(withoutComment(more), next)
      value += (blanks === 0 ? ' ' : '\n'.repeat(blanks)) + withoutComment(more)
      hasEnded = withoutComment(more) !== more
      blanks = 0
      source.at = at + 1
    }
  }
  return resolve(value, line)
}

/** The value of text without quotes, by the core schema of YAML 1.2. */
function resolve(text: string, line: Line): JsonValue {
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  const isNumber = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$|^0o[0-7]+$|^0x[0-9a-fA-F]+$/
  if (!isNumber.test(text) && !/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(text))
    return text
  const number = Number(text)
  if (!Number.isFinite(number)) throw new YamlProblem(line, 'has a number that JSON cannot say')
  return number === 0 ? 0 : number
}

/** Throws for text that cannot stand without quotes. */
function checkPlain(text: string, line: Line): void {
  const [first = ''] = text
  if (first === '&' || first === '*') {
    throw new YamlProblem(line, 'has an anchor or an alias, which are not understood')
  }
  if (first === '!') throw new YamlProblem(line, 'has a tag, which is not understood')
  if (first === '{') throw new YamlProblem(line, 'has braces, which are not understood')
  if (',[]}#|>\'"%@`'.includes(first) || /^[-?:](?:[ \t]|$)/.test(text)) {
    throw new YamlProblem(line, `has a value that begins with ${first}: quote it`)
  }
  checkColon(text, line)
}

function checkColon(text: string, line: Line): void {
  if (/:(?:[ \t]|$)/.test(text)) {
    throw new YamlProblem(line, 'has a colon inside a value: quote the value')
  }
}

function withoutComment(text: string): string {
  return text.slice(0, text.search(/[ \t]#|$/)).trimEnd()
}

/** Text below a `|`, line by line, or a `>`, folded; a minus behind it removes the last line break. */
function readBlock(source: Source, line: Line, header: string, above: number): string {
  const [, style, chomping] = /^([|>])(-?)(?:[ \t]+#.*|[ \t]*)$/.exec(header) ?? []
  if (style === undefined) {
    throw new YamlProblem(line, `has something behind ${header.slice(0, 1)} that is not understood`)
  }
  const first = source.lines.slice(source.at).find(({ text }) => text !== '')
  const indent = first !== undefined && first.indent > above ? first.indent : Infinity
  const lines: string[] = []
  for (; source.at < source.lines.length; source.at += 1) {
    const next = source.lines[source.at]
    if (next === undefined || (next.text !== '' && next.indent < indent)) break
    lines.push(next.text === '' ? '' : ' '.repeat(next.indent - indent) + next.text)
  }
  const content = lines.slice(0, lines.findLastIndex((each) => each !== '') + 1)
  const text = style === '|' ? content.join('\n') : fold(content)
  return chomping === '-' || content.length === 0 ? text : `${text}\n`
}

/** Joins lines by a space; blank lines and lines that are indented further keep their breaks. */
function fold(lines: readonly string[]): string {
  let text = ''
  let breaks = 0
  let wasIndented = true // nothing to join with
  for (const [index, line] of lines.entries()) {
    if (line === '') {
      breaks += 1
      continue
    }
    const isIndented = /^[ \t]/.test(line)
    const isFirst = index === breaks && text === ''
    if (isFirst) text = '\n'.repeat(breaks)
    else if (isIndented || wasIndented) text += '\n'.repeat(breaks + 1)
    else text += breaks === 0 ? ' ' : '\n'.repeat(breaks)
    text += line
    breaks = 0
    wasIndented = isIndented
  }
  return text
}

function isItem(text: string): boolean {
  return /^-(?: |$)/.test(text)
}

/** Nothing, or a comment. */
function isEmpty(rest: string): boolean {
  return /^[ \t]*$|^[ \t]+#/.test(rest)
}

/** The key of a line, and the text behind its colon; undefined for a line without a key. */
function keyOf(line: Line): { readonly key: string; readonly rest: string } | undefined {
  const { text } = line
  if (/^\?(?: |$)/.test(text)) throw new YamlProblem(line, 'has a key that is not plain text')
  if (/^[[{|>]/.test(text)) return undefined
  const quoted = /^["']/.test(text) ? readQuoted(text, line) : undefined
  if (quoted !== undefined) {
    const [, rest] = /^[ \t]*:(?=[ \t]|$)(.*)$/.exec(quoted.rest) ?? []
    return rest === undefined ? undefined : { key: quoted.value, rest }
  }
  const colon = text.search(/:(?:[ \t]|$)|[ \t]#/)
  if (colon === -1 || text.charAt(colon) !== ':') return undefined
  const key = text.slice(0, colon).trimEnd()
  if (key === '') throw new YamlProblem(line, 'has no key before its colon')
  if (key === '<<') throw new YamlProblem(line, 'has a merge key, which is not understood')
  checkPlain(key, line)
  if (typeof resolve(key, line) !== 'string') {
    throw new YamlProblem(line, `has a key that is not text: quote ${key}`)
  }
  return { key, rest: text.slice(colon + 1) }
}

import type { JsonValue } from '../json.ts'
import {
  blanksBefore,
  isBlank,
  lineNumber,
  YamlProblem,
  type YamlLines,
  type YamlLine,
} from './yaml-lines.ts'

/** What stood between quotes, and the text of its last line behind them. */
export interface Quoted {
  readonly value: string
  readonly rest: string
}

/** Where a quoted text goes on: how many breaks there were, and the next line. */
type Continue = () => { readonly breaks: number; readonly text: string } | undefined

/** A quoted value, which may go on over lines indented more than `above`. */
export function readQuoted(source: YamlLines, text: string, above: number, line: number): Quoted {
  const quoted = scanQuoted(text, line, () => {
    const blanks = blanksBefore(source, above)
    const next = blanks === undefined ? undefined : source.lines[source.at + blanks]
    if (blanks === undefined || next === undefined) return undefined
    source.at += blanks + 1
    return { breaks: blanks + 1, text: next.text.replace(/^[ \t]+/, '') }
  })
  if (quoted === undefined) throw new YamlProblem(lineNumber(source), 'has quotes that do not end')
  return quoted
}

/** Text in quotes at the beginning of a line; undefined when it does not end there. */
export function readQuotedInLine(text: string, line: number): Quoted | undefined {
  return scanQuoted(text, line, () => undefined)
}

function scanQuoted(first: string, line: number, next: Continue): Quoted | undefined {
  const quote = first.slice(0, 1)
  let text = first
  let value = ''
  let gap = '' // blanks, which count only if something follows them in their line
  for (let at = 1; ;) {
    const character = text.slice(at, at + 1)
    const isEscapedBreak = quote === '"' && character === '\\' && isBlank(text.slice(at + 1))
    if (character === '' || (isEscapedBreak && at + 1 === text.length)) {
      const more = next()
      if (more === undefined) return undefined
      if (isEscapedBreak) {
        if (more.breaks > 1) throw new YamlProblem(line, 'has a blank line behind a backslash')
        value += gap
      } else value += more.breaks === 1 ? ' ' : '\n'.repeat(more.breaks - 1)
      gap = ''
      text = more.text
      at = 0
    } else if (character === ' ' || character === '\t') {
      gap += character
      at += 1
    } else if (character === quote && !(quote === "'" && text.charAt(at + 1) === "'")) {
      return { value: value + gap, rest: text.slice(at + 1) }
    } else {
      const { meant, length } = quote === '"' ? readEscape(text, at, line) : readSingle(text, at)
      value += gap + meant
      gap = ''
      at += length
    }
  }
}

interface Read {
  readonly meant: string
  readonly length: number
}

/** In single quotes only the quote itself is written twice. */
function readSingle(text: string, at: number): Read {
  const meant = text.charAt(at)
  return { meant, length: meant === "'" ? 2 : 1 }
}

function readEscape(text: string, at: number, line: number): Read {
  const character = text.charAt(at)
  if (character !== '\\') return { meant: character, length: 1 }
  const name = text.charAt(at + 1)
  const simple = escapes.get(name)
  if (simple !== undefined) return { meant: simple, length: 2 }
  const digits = hexDigits.get(name)
  const hex = text.slice(at + 2, at + 2 + (digits ?? 0))
  const code = Number.parseInt(hex, 16)
  if (digits === undefined || !/^[0-9a-fA-F]+$/.test(hex) || hex.length < digits) {
    throw new YamlProblem(line, `has an escape that is not understood: \\${name}`)
  }
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw new YamlProblem(line, `has an escape that is no character: \\${name}${hex}`)
  }
  return { meant: String.fromCodePoint(code), length: 2 + digits }
}

const hexDigits = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

const escapes = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
])

/** A value without quotes that may go on over lines indented more than `above`. */
export function readPlain(source: YamlLines, text: string, above: number, line: number): JsonValue {
  const first = cutComment(text)
  checkPlain(first.text, line)
  let value = first.text
  let hasEnded = first.hasComment
  while (!hasEnded) {
    const blanks = blanksBefore(source, above)
    const next = blanks === undefined ? undefined : source.lines[source.at + blanks]
    if (blanks === undefined || next === undefined) break
    const rest = next.text.replace(/^[ \t]+/, '')
    if (rest.startsWith('#')) break
    source.at += blanks + 1
    const more = cutComment(rest)
    checkInside(more.text, next.number)
    value += blanks === 0 ? ` ${more.text}` : `${'\n'.repeat(blanks)}${more.text}`
    hasEnded = more.hasComment
  }
  return resolvePlain(value, line)
}

/** What text without quotes stands for, by the core schema of YAML 1.2. */
export function resolvePlain(text: string, line: number): JsonValue {
  if (/^(?:~|null|Null|NULL)?$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^0o[0-7]+$|^0x[0-9a-fA-F]+$/.test(text)) return Number(text)
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(text)) {
    const number = Number(text)
    if (Number.isFinite(number)) return Object.is(number, -0) ? 0 : number
    throw new YamlProblem(line, 'has a number that JSON cannot say')
  }
  if (/^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(text)) {
    throw new YamlProblem(line, 'has a number that JSON cannot say')
  }
  return text
}

/** Throws for what cannot stand without quotes. */
export function checkPlain(text: string, line: number): void {
  const [first = ''] = text
  if (first === '&' || first === '*') {
    throw new YamlProblem(line, 'has an anchor or an alias, which are not understood')
  }
  if (first === '!') throw new YamlProblem(line, 'has a tag, which is not understood')
  if (',[]{}#|>\'"%@`'.includes(first) || /^[-?:](?:[ \t]|$)/.test(text)) {
    throw new YamlProblem(line, `has a value that begins with ${first}: quote it`)
  }
  checkInside(text, line)
}

/** Throws for a key that is no text, such as a number. */
export function checkKey(key: string, line: number): void {
  if (key === '<<') throw new YamlProblem(line, 'has a merge key, which is not understood')
  checkPlain(key, line)
  if (typeof resolvePlain(key, line) !== 'string') {
    throw new YamlProblem(line, `has a key that is no text: quote ${key}`)
  }
}

function checkInside(text: string, line: number): void {
  if (/:(?:[ \t]|$)/.test(text)) {
    throw new YamlProblem(line, 'has a colon inside a value: quote the value')
  }
}

function cutComment(text: string): { readonly text: string; readonly hasComment: boolean } {
  const start = text.search(/[ \t]#/)
  return {
    text: (start === -1 ? text : text.slice(0, start)).replace(/[ \t]+$/, ''),
    hasComment: start !== -1,
  }
}

/** Text below a `|`, line by line, or a `>`, folded; a minus behind it takes off the last break. */
export function readBlockScalar(
  source: YamlLines,
  header: string,
  above: number,
  line: number,
): string {
  const [, style, chomping] = /^([|>])(-?)(?:[ \t]+#.*|[ \t]*)$/.exec(header) ?? []
  if (style === undefined) {
    throw new YamlProblem(line, `has something behind ${header.slice(0, 1)} that is not understood`)
  }
  const lines = readIndented(source, above)
  const content = lines.slice(0, lines.findLastIndex((one) => one !== '') + 1)
  const text = style === '|' ? content.join('\n') : fold(content)
  return chomping === '-' || content.length === 0 ? text : `${text}\n`
}

/** Lines indented at least as the first of them, without that indentation. */
function readIndented(source: YamlLines, above: number): readonly string[] {
  const lines: string[] = []
  let indent: number | undefined
  for (; source.at < source.lines.length; source.at += 1) {
    const line = source.lines[source.at]
    if (line === undefined) break
    const isEmpty = line.text === ''
    if (!isEmpty && line.indent <= above) break
    if (!isEmpty && indent === undefined) {
      if (source.lines.slice(source.at - lines.length, source.at).some(isWider(line.indent))) {
        throw new YamlProblem(line.number, 'is indented less than a blank line before it')
      }
      indent = line.indent
    }
    if (!isEmpty && line.indent < (indent ?? 0)) break
    lines.push(' '.repeat(Math.max(0, line.indent - (indent ?? line.indent))) + line.text)
  }
  return lines
}

function isWider(indent: number): (line: YamlLine) => boolean {
  return (line) => line.indent > indent
}

/** One break between two lines is a blank; lines indented further keep theirs. */
function fold(lines: readonly string[]): string {
  let text = ''
  let breaks = 0
  let wasFurther = false
  let isFirst = true
  for (const line of lines) {
    if (line === '') {
      breaks += 1
      continue
    }
    const isFurther = /^[ \t]/.test(line)
    const keepsBreak = isFurther || wasFurther
    if (isFirst) text += '\n'.repeat(breaks)
    else if (keepsBreak) text += '\n'.repeat(breaks + 1)
    else text += breaks === 0 ? ' ' : '\n'.repeat(breaks)
    text += line
    breaks = 0
    wasFurther = isFurther
    isFirst = false
  }
  return text
}

/** Whether text can be the first of a block scalar's. */
export function isBlockHeader(text: string): boolean {
  return !isBlank(text) && '|>'.includes(text.slice(0, 1))
}

import type { JsonValue } from '../json/json.ts'
import { blanksBefore, isBlank, YamlProblem, type YamlLine, type YamlLines } from './yaml-lines.ts'

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

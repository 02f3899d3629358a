import { blanksBefore, isBlank, lineNumber, YamlProblem, type YamlLines } from './yaml-lines.ts'

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

/**
 * Divides code into comments, strings, numbers, keywords and names, so that a page or a terminal can colour them.
 *
 * One pass over the text with a table per family of languages: no grammar, no dependency, and the same result for a text that
 * is still being written. It is for reading, not for checking: what it does not know stays plain. A language that is not in the
 * table is read with the words of all of them.
 *
 * Guarantees: total, linear in the length of the text, and the pieces joined are the text.
 */

/** The kind of a piece of code. */
export type CodeKind = 'plain' | 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'key'

/** A piece of code of one kind. */
export interface CodePiece {
  /** The characters of the piece, unchanged. */
  readonly text: string
  /** The kind of piece, which decides its colour. */
  readonly kind: CodeKind
}

interface Language {
  readonly keywords: ReadonlySet<string>
  /** Comments to the end of the line begin with one of these. */
  readonly lineComments: readonly string[]
  /** Comments between two marks. */
  readonly blockComments: readonly (readonly [start: string, end: string])[]
  readonly quotes: string
  /** A string or word before a colon is the name of a member. */
  readonly hasKeys?: boolean
  /** Words after `<` and `</` are names of elements. */
  readonly hasElements?: boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const constants = 'true false null undefined None True False nil'
const cLike = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
} as const

const javascript: Language = {
  ...cLike,
  quotes: '"\'`',
  keywords: words(
    `${constants} abstract any as async await boolean break case catch class const continue declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let module namespace never new number object of out package private protected public readonly return satisfies set static string super switch symbol this throw try type typeof unknown using var void while yield`,
  ),
}
const python: Language = {
  lineComments: ['#'],
  blockComments: [
    ['"""', '"""'],
    ["'''", "'''"],
  ],
  quotes: '"\'',
  keywords: words(
    `${constants} and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield`,
  ),
}
const shell: Language = {
  lineComments: ['#'],
  blockComments: [],
  quotes: '"\'',
  keywords: words(
    'case cd do done echo elif else esac exit export fi for function if in local npm npx node return set sudo then until while',
  ),
}
const c: Language = {
  ...cLike,
  quotes: '"\'',
  keywords: words(
    `${constants} auto bool break case catch char class const constexpr continue default defer delete do double else enum extern final float fn for func go goto if impl import include int interface let long loop map match mod move mut namespace new override package private protected pub public range ref return select self short signed sizeof static struct super switch template this throw trait try type typedef union unsigned use using var virtual void volatile where while`,
  ),
}
const sql: Language = {
  lineComments: ['--'],
  blockComments: [['/*', '*/']],
  quotes: '\'"',
  keywords: words(
    'add alter and as asc between by case create delete desc distinct drop else end exists from full group having in index inner insert into is join key left like limit not null on or order outer primary references right select set table then union unique update values view when where with',
  ),
}
const data: Language = {
  lineComments: ['#'],
  blockComments: [],
  quotes: '"\'',
  keywords: words(`${constants} yes no on off`),
  hasKeys: true,
}
const json: Language = { ...data, lineComments: ['//'], quotes: '"' }
const css: Language = {
  lineComments: [],
  blockComments: [['/*', '*/']],
  quotes: '"\'',
  keywords: words('important media import supports layer container keyframes from to'),
  hasKeys: true,
}
const markup: Language = {
  lineComments: [],
  blockComments: [['<!--', '-->']],
  quotes: '"\'',
  keywords: words(''),
  hasElements: true,
}
const unknown: Language = {
  ...cLike,
  quotes: '"\'`',
  keywords: new Set([...javascript.keywords, ...python.keywords, ...c.keywords]),
}

const languages: ReadonlyMap<string, Language> = new Map(
  (
    [
      [javascript, 'js jsx ts tsx mjs cjs javascript typescript'],
      [python, 'py python'],
      [shell, 'sh bash shell zsh console fish powershell ps1 dockerfile makefile'],
      [c, 'c h cpp c++ cs csharp go java kotlin kt rust rs swift scala php dart zig'],
      [sql, 'sql postgres postgresql sqlite mysql'],
      [data, 'yaml yml toml ini properties env'],
      [json, 'json jsonc json5 jsonl'],
      [css, 'css scss less'],
      [markup, 'html xml svg vue'],
    ] as const
  ).flatMap(([language, names]) => names.split(' ').map((name) => [name, language] as const)),
)
const plainNames = words('text txt plain plaintext log output')
const isWord = /[\p{L}\p{N}_$]/u
const wordStart = /[\p{L}_$]/u

/** Returns the pieces of a text in a language, by the name that a fence gives it; `''` is an unknown language. */
export function highlight(text: string, languageName: string): readonly CodePiece[] {
  const name =
    languageName
      .trim()
      .toLowerCase()
      .split(/[\s,{]/)[0] ?? ''
  if (plainNames.has(name)) return [{ text, kind: 'plain' }]
  const language = languages.get(name) ?? unknown
  const pieces: CodePiece[] = []
  let at = 0
  while (at < text.length) {
    const [end, kind] = readPiece(text, at, language)
    add(pieces, text.slice(at, end), kind)
    at = end
  }
  return pieces
}

type Read = readonly [end: number, kind: CodeKind]

function readPiece(text: string, at: number, language: Language): Read {
  const character = text[at] ?? ''
  for (const [start, end] of language.blockComments) {
    if (text.startsWith(start, at)) {
      const closed = text.indexOf(end, at + start.length)
      return [closed === -1 ? text.length : closed + end.length, 'comment']
    }
  }
  if (startsLineComment(text, at, language)) return [endOfLine(text, at), 'comment']
  if (language.quotes.includes(character)) {
    const end = endOfString(text, at, character)
    return [end, language.hasKeys === true && isBeforeColon(text, end) ? 'key' : 'string']
  }
  if (/\d/.test(character)) return [endOf(text, at, /[\w.]/), 'number']
  if (language.hasElements === true && character === '<') {
    return [endOf(text, at + 1, /[\w/!?:-]/), 'keyword']
  }
  if (!wordStart.test(character)) return [at + 1, 'plain']
  const inWord = language.hasKeys === true ? /[\p{L}\p{N}_$-]/u : isWord
  return readWord(text, at, endOf(text, at, inWord), language)
}

function readWord(text: string, at: number, end: number, language: Language): Read {
  const word = text.slice(at, end)
  if (language.hasKeys === true && isBeforeColon(text, end)) return [end, 'key']
  const isKeyword = language.keywords.has(language === sql ? word.toLowerCase() : word)
  if (isKeyword && text[at - 1] !== '.') return [end, 'keyword']
  if (text[end] === '(') return [end, 'name']
  if (language.hasElements === true && text[end] === '=') return [end, 'name']
  return [end, 'plain']
}

/** A `#` within a word, as in an address, begins no comment. */
function startsLineComment(text: string, at: number, { lineComments }: Language): boolean {
  const found = lineComments.some((mark) => text.startsWith(mark, at))
  return found && (at === 0 || /[\s;{}()[\],]/.test(text[at - 1] ?? ''))
}

/** Strings other than templates end with their line, so that an apostrophe does not colour the rest. */
function endOfString(text: string, at: number, quote: string): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const character = text[next]
    if (character === '\\') next += 1
    else if (character === quote) return next + 1
    else if (character === '\n' && quote !== '`') return next
  }
  return text.length
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function endOf(text: string, at: number, characters: RegExp): number {
  let end = at
  while (end < text.length && characters.test(text[end] ?? '')) end += 1
  return Math.max(end, at)
}

function isBeforeColon(text: string, end: number): boolean {
  let next = end
  while (text[next] === ' ') next += 1
  return text[next] === ':' || (text[next] === '=' && next > end)
}

/** Pieces of one kind in a row are one. */
function add(pieces: CodePiece[], text: string, kind: CodeKind): void {
  const last = pieces.at(-1)
  if (last?.kind === kind) pieces[pieces.length - 1] = { text: last.text + text, kind }
  else pieces.push({ text, kind })
}

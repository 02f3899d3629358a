/**
 * Markdown of a model as lines of a terminal, while it is still being written.
 *
 * Each finished line of the answer gives the lines that can be shown by then: headings and bold words are bold, code has the colours
 * of its language, lists have bullets, and a table is held back until its last row, because its columns need all of them. What is
 * no Markdown stays as it is. Used by the thread; the page has a renderer of its own.
 *
 * Guarantees: pure; no character of the answer is lost except the marks; no line is changed once it was given.
 */

import { highlight, type CodeKind } from '@parley/foundation/highlight'
import { textWidth } from '@parley/foundation/terminal'

import { line, shown, type Line, type Look, type Span } from './line.ts'

/** What the lines before mean for the next one. */
export interface MarkdownState {
  /** The mark that ends the block of code, and its language. */
  readonly fence?: { readonly mark: string; readonly language: string } | undefined
  /** The rows of a table that is not complete yet. */
  readonly table?: readonly string[] | undefined
}

/** What a line gives, and the state after it. */
export interface MarkdownLines {
  readonly state: MarkdownState
  readonly lines: readonly Line[]
}

const codeLooks: Readonly<Record<CodeKind, Look>> = {
  plain: 'plain',
  comment: 'dim',
  string: 'good',
  number: 'warning',
  keyword: 'accent',
  name: 'plain',
  key: 'accent',
}

/** Reads one finished line of an answer. */
export function readMarkdownLine(state: MarkdownState, text: string): MarkdownLines {
  if (state.fence !== undefined) return readCodeLine(state.fence, text)
  if (isTableRow(text)) return { state: { table: [...(state.table ?? []), text] }, lines: [] }
  const before = flushMarkdown(state)
  const [, mark, language = ''] = /^\s*(`{3,}|~{3,})\s*([^`]*)$/.exec(text) ?? []
  if (mark !== undefined) {
    const name = language.trim()
    const head = name === '' ? [] : [line(`  ${shown(name)}`, 'dim')]
    return { state: { fence: { mark, language: name } }, lines: [...before, ...head] }
  }
  return { state: {}, lines: [...before, blockLine(text)] }
}

/** Returns the lines that were held back; called before anything else is shown, and at the end of the answer. */
export function flushMarkdown({ table }: MarkdownState): readonly Line[] {
  return table === undefined ? [] : tableLines(table)
}

function readCodeLine(fence: NonNullable<MarkdownState['fence']>, text: string): MarkdownLines {
  const trimmed = text.trim()
  if (trimmed.startsWith(fence.mark) && trimmed.replaceAll(fence.mark[0] ?? '', '') === '') {
    return { state: {}, lines: [] }
  }
  const pieces = highlight(shown(text), fence.language).map(({ text: piece, kind }): Span => ({
    text: piece,
    look: codeLooks[kind],
  }))
  return { state: { fence }, lines: [[{ text: '  ', look: 'plain' }, ...pieces]] }
}

function blockLine(text: string): Line {
  const [, heading] = /^#{1,6} +(.+?)#*$/.exec(text) ?? []
  if (heading !== undefined) return spansOf(heading.trim(), 'bold')
  if (/^ {0,3}([-*_])( *\1){2,} *$/.test(text)) return line('─'.repeat(20), 'dim')
  const [, indent = '', box] = /^(\s*)[-*+] \[([ xX])\] /.exec(text) ?? []
  if (box !== undefined) {
    const rest = text.slice(indent.length + 6)
    return [{ text: `${indent}${box === ' ' ? '☐' : '☑'} `, look: 'accent' }, ...spansOf(rest)]
  }
  const [item, space = ''] = /^(\s*)[-*+] /.exec(text) ?? []
  if (item !== undefined) {
    return [{ text: `${space}• `, look: 'accent' }, ...spansOf(text.slice(item.length))]
  }
  const [quote] = /^ {0,3}> ?/.exec(text) ?? []
  if (quote !== undefined)
    return [{ text: '│ ', look: 'dim' }, ...spansOf(text.slice(quote.length))]
  return spansOf(text)
}

const inline = /(`+)(.+?)\1|\*\*(?=\S)(.+?)\*\*|\[([^[\]]+)\]\(([^()\s]+)\)/g

/** Bold words, code, and links with where they lead. */
function spansOf(text: string, look: Look = 'plain'): Line {
  const spans: Span[] = []
  const add = (piece: string, as: Look) => {
    if (piece !== '') spans.push({ text: shown(piece), look: as })
  }
  let from = 0
  for (const found of text.matchAll(inline)) {
    const [whole, , code, bold, words, url] = found
    add(text.slice(from, found.index), look)
    from = found.index + whole.length
    if (code !== undefined) add(code, 'accent')
    else if (bold !== undefined) add(bold, 'bold')
    else {
      add(words ?? '', 'accent')
      if (url !== words) add(` (${url})`, 'dim')
    }
  }
  add(text.slice(from), look)
  return spans.length === 0 ? line('') : spans
}

function isTableRow(text: string): boolean {
  return /^\s*\|.*\|\s*$/.test(text)
}

function tableLines(rows: readonly string[]): readonly Line[] {
  const [, rule = ''] = rows
  if (rows.length < 2 || !/^[\s|:-]+$/.test(rule)) return rows.map(blockLine)
  const cells = rows.map(cellsOf)
  const isRight = cellsOf(rule).map((cell) => cell.endsWith(':') && !cell.startsWith(':'))
  const body = cells.filter((_, at) => at !== 1)
  const widths = isRight.map((_, column) =>
    Math.max(...body.map((row) => widthOf(spansOf(row[column] ?? '')))),
  )
  const drawn = body.map((row, at) =>
    widths.flatMap((width, column): Line => {
      const spans = spansOf(row[column] ?? '', at === 0 ? 'bold' : 'plain')
      const padding: Span = { text: ' '.repeat(width - widthOf(spans)), look: 'plain' }
      const gap: Span = { text: column === widths.length - 1 ? '' : '  ', look: 'plain' }
      return isRight[column] === true ? [padding, ...spans, gap] : [...spans, padding, gap]
    }),
  )
  const length = widths.reduce((sum, width) => sum + width + 2, -2)
  return [drawn[0] ?? [], line('─'.repeat(Math.max(1, length)), 'dim'), ...drawn.slice(1)]
}

function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function widthOf(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0)
}

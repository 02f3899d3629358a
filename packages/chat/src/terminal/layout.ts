import { fitText } from '@parley/foundation/terminal'

import { composerLines } from './composer-lines.ts'
import { flat, line, wrapLine, type Line } from './line.ts'
import type { TerminalState } from './terminal-state.ts'
import { callLines } from './thread.ts'

/** The size of the terminal. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** What stands below what was written for good: the running turn, a question or the composer, and the state. */
export function layOut(state: TerminalState, { columns, rows }: Size): readonly Line[] {
  const width = Math.max(20, columns - 1)
  const status = wrapLine(statusLine(state), width).slice(0, 2)
  const { sheet, composer, focus } = state
  const prompt = focus === 'composer' ? '> ' : '  '
  const isShown = sheet === undefined || focus === 'composer'
  const written = isShown
    ? lastLines(composerLines(composer, width, prompt), Math.max(1, Math.floor(rows / 3)))
    : []
  const hint = state.hint === '' ? [] : wrapLine(line(flat(state.hint), 'dim'), width).slice(0, 3)
  const below = [...hint, ...written, ...status]
  const height = Math.max(4, rows - below.length - 2)
  if (sheet === undefined) return [...lastLines(threadLines(state, width), height), ...below]
  return [...sheetLines(state, width, height), ...below]
}

function threadLines({ thread }: TerminalState, width: number): readonly Line[] {
  const answer = thread.answer === '' ? [] : [line(flat(thread.answer, 100_000))]
  return [...thread.calls.flatMap(callLines), ...answer].flatMap((item) => wrapLine(item, width))
}

/** A part of a long sheet, and how to see the rest; the keys and the text that is written are always there. */
function sheetLines(state: TerminalState, width: number, height: number): readonly Line[] {
  const { sheet, scroll, focus } = state
  if (sheet === undefined) return []
  const rule = line('─'.repeat(Math.min(width, 60)), 'dim')
  const allKeys = focus === 'sheet' ? sheet.keys : line('Tab goes to the question', 'accent')
  const keys = wrapLine(allKeys, width).slice(0, Math.max(2, Math.floor(height / 2)))
  const editor = lastLines(sheet.editor?.lines(width) ?? [], Math.max(1, Math.floor(height / 2)))
  const all = sheet.lines(width).flatMap((item) => wrapLine(item, width))
  const space = Math.max(3, height - keys.length - editor.length - 2)
  if (all.length <= space) return [rule, ...all, ...editor, ...keys]
  const from = Math.max(0, Math.min(scroll, all.length - space + 1))
  const range = `lines ${from + 1} to ${Math.min(all.length, from + space - 1)} of ${all.length}`
  const more = line(fitText(`${range}; PgUp and PgDn show the others`, width), 'dim')
  return [rule, ...all.slice(from, from + space - 1), more, ...editor, ...keys]
}

function lastLines(lines: readonly Line[], most: number): readonly Line[] {
  return lines.length <= most ? lines : lines.slice(-most)
}

function statusLine({ model, mode, servers, turn, attached, waiting }: TerminalState): Line {
  const ready = servers.filter((server) => server.state === 'ready').length
  const parts = [
    flat(model, 60),
    ...(mode === undefined ? [] : [`tools: ${mode}`]),
    `${ready} of ${servers.length} ${servers.length === 1 ? 'server' : 'servers'}`,
    ...(attached > 0 ? [`${attached} attached`] : []),
    ...(waiting > 1 ? [`${waiting} questions`] : []),
  ]
  const end =
    turn === 'running'
      ? 'working, Esc stops'
      : turn === 'stopping'
        ? 'stopping, Ctrl-C leaves'
        : '/help'
  return [{ text: [...parts, end].join(' · '), look: 'dim' }]
}

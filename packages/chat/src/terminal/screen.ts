import { textWidth } from '@parley/foundation/terminal'

import { layOut, type Size } from './layout.ts'
import type { Line, Look } from './line.ts'
import type { TerminalSession } from './session.ts'

/** What a screen is drawn on. */
export interface ScreenOptions {
  readonly write: (text: string) => void
  /** Changes with the window. */
  readonly size: () => Size
  readonly isColored: boolean
}

const frameMs = 50
const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const reset = '\u001b[0m'
const codes: { readonly [look in Look]: string } = {
  plain: '',
  dim: '\u001b[2m',
  bold: '\u001b[1m',
  good: '\u001b[32m',
  warning: '\u001b[33m',
  bad: '\u001b[31m',
  accent: '\u001b[36m',
  cursor: '\u001b[7m',
}

/** Draws the session: what was written for good, and below it the lines that change. Disposing leaves the last frame. */
export function createScreen(
  session: TerminalSession,
  { write, size, isColored }: ScreenOptions,
): { readonly draw: () => void } & Disposable {
  let written = 0
  let frame: readonly Line[] = []
  let timer: NodeJS.Timeout | undefined
  let isStale = false

  /** Up to the first row of the frame as the terminal shows it now, where a narrower window has wrapped lines. */
  function erase(columns: number): string {
    const rows = frame.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)),
      0,
    )
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`
  }

  function draw(): void {
    clearTimeout(timer)
    timer = setTimeout(ended, frameMs)
    isStale = false
    const { state } = session
    const { columns, rows } = size()
    const news = state.written.slice(written).map((line) => `${textOf(line, isColored)}\n`)
    const erased = erase(columns)
    written = state.written.length
    frame = layOut(state, { columns, rows })
    write(`${erased}${news.join('')}${frame.map((line) => textOf(line, isColored)).join('\n')}`)
  }

  /** At most one frame in this time, and the last one is always drawn. */
  function ended(): void {
    timer = undefined
    if (isStale) draw()
  }

  write(hideCursor)
  draw()
  const stop = session.listen(() => {
    isStale = true
    if (timer === undefined) draw()
  })
  return {
    draw,
    [Symbol.dispose]() {
      stop()
      if (isStale) draw()
      clearTimeout(timer)
      write(`\n${showCursor}`)
    },
  }
}

function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0)
}

/** Where there are no colours, a bar marks the cursor. */
function textOf(line: Line, isColored: boolean): string {
  return line
    .map(({ text, look }) => {
      if (!isColored) return look === 'cursor' ? `▏${text}` : text
      return look === 'plain' || text === '' ? text : `${codes[look]}${text}${reset}`
    })
    .join('')
}

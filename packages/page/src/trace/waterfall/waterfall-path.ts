import type { CriticalPath } from '@parley/foundation/trace/view'

import type { VisibleLine } from '../rows/visible-rows.ts'
import type { Palette } from './paint.ts'

interface PathView {
  readonly lines: readonly VisibleLine[]
  readonly offset: number
  readonly rowHeight: number
}

/** A line below the bars, from what was waited for first to what was waited for last. */
export function drawPath(
  context: CanvasRenderingContext2D,
  path: CriticalPath,
  { lines, offset, rowHeight }: PathView,
  x: (time: number) => number,
  palette: Palette,
): void {
  const positions = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'gap') continue
    const below = offset + (index + 1) * rowHeight - 3
    positions.set(line.row.entry.seq, below)
    if (line.row.answer) positions.set(line.row.answer.seq, below)
  }
  const own = positions.get(path.seq)
  let before: number | undefined
  let reached = 0
  context.strokeStyle = palette.text
  context.lineWidth = 2
  context.beginPath()
  for (const { from, to, seq } of path.segments) {
    const y = positions.get(seq) ?? own
    if (y === undefined) {
      before = undefined
      continue
    }
    const start = Math.max(reached, x(from))
    reached = Math.max(start + 1, x(to))
    if (before === undefined) context.moveTo(start, y)
    else if (before !== y) context.lineTo(start, y)
    context.lineTo(reached, y)
    before = y
  }
  context.stroke()
}

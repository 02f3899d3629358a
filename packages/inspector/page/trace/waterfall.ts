import type { Palette } from './paint.ts'
import { statusOf, type Row } from './rows.ts'
import type { TimeRange } from './trace-state.ts'
import type { VisibleRow } from './visible-rows.ts'

/** What a waterfall is drawn from. */
export interface WaterfallView {
  /** The rows in sight, from the top. */
  readonly rows: readonly VisibleRow[]
  /** Where the first of them begins, in pixels from the top of the canvas. */
  readonly offset: number
  readonly rowHeight: number
  readonly width: number
  readonly range: TimeRange
  /** What is not answered yet goes on until now. */
  readonly now: number
  readonly selected: number | undefined
}

const pad = 8

/** A bar for each row in sight: from request to answer, with a tick for each progress report on the way. */
export function drawWaterfall(
  context: CanvasRenderingContext2D,
  view: WaterfallView,
  palette: Palette,
): void {
  const { rows, offset, rowHeight, range, width } = view
  const room = width - pad * 2
  const span = Math.max(0.001, range.to - range.from)
  const x = (time: number) => pad + ((time - range.from) / span) * room
  drawGrid(context, view, palette)
  for (const [index, { row }] of rows.entries()) {
    const middle = offset + index * rowHeight + rowHeight / 2
    drawRow(context, row, middle, x, view, palette)
  }
}

/** The time the rows in sight take up, with a little room behind. */
export function fitRange(rows: readonly VisibleRow[], now: number): TimeRange {
  let from = Infinity
  let to = -Infinity
  for (const { row } of rows) {
    from = Math.min(from, row.entry.time)
    const isPending = statusOf(row) === 'pending'
    to = Math.max(
      to,
      (row.answer ?? row.entry).time,
      isPending ? Math.min(now, row.entry.time + 5000) : 0,
    )
  }
  if (from > to) return { from: 0, to: 1 }
  return { from, to: Math.max(to, from + 1) }
}

function drawGrid(
  context: CanvasRenderingContext2D,
  { width, rows, offset, rowHeight }: WaterfallView,
  palette: Palette,
) {
  const bottom = offset + rows.length * rowHeight
  context.fillStyle = palette.line
  for (let part = 0; part <= 4; part++) {
    const at = Math.round(pad + ((width - pad * 2) * part) / 4)
    context.fillRect(at, 0, 1, bottom)
  }
}

function drawRow(
  context: CanvasRenderingContext2D,
  row: Row,
  middle: number,
  x: (time: number) => number,
  view: WaterfallView,
  palette: Palette,
) {
  const status = statusOf(row)
  const start = x(row.entry.time)
  if (row.entry.role !== 'request') {
    context.fillStyle = status === 'error' ? palette.bad : palette.quiet
    drawDiamond(context, start, middle, 3.5)
    return
  }
  const end = x(row.answer?.time ?? Math.max(view.now, row.entry.time))
  const length = Math.max(3, end - start)
  context.fillStyle =
    status === 'error' ? palette.bad : status === 'pending' ? palette.warning : palette.accent
  context.globalAlpha = status === 'pending' ? 0.45 : row.entry.kind === 'http' ? 0.55 : 0.9
  context.beginPath()
  context.roundRect(start, middle - 5, length, 10, 3)
  context.fill()
  context.globalAlpha = 1
  context.fillStyle = palette.surface
  for (const child of row.children) {
    if (child.entry.role === 'notification')
      context.fillRect(x(child.entry.time) - 1, middle - 3, 2, 6)
  }
  if (status === 'error') {
    // Told by shape as well as by colour; before the bar where there is no room behind it.
    const isAtEdge = start + length + 12 > view.width
    const left = isAtEdge ? start - 11 : start + length + 4
    context.strokeStyle = palette.bad
    context.lineWidth = 1.5
    context.beginPath()
    context.moveTo(left, middle - 3.5)
    context.lineTo(left + 7, middle + 3.5)
    context.moveTo(left + 7, middle - 3.5)
    context.lineTo(left, middle + 3.5)
    context.stroke()
  }
}

function drawDiamond(context: CanvasRenderingContext2D, x: number, y: number, radius: number) {
  context.beginPath()
  context.moveTo(x, y - radius)
  context.lineTo(x + radius, y)
  context.lineTo(x, y + radius)
  context.lineTo(x - radius, y)
  context.fill()
}

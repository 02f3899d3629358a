import type { CriticalPath, PathWho } from '@parley/foundation/trace/view'

import { gapsWithin, type Gap } from '../rows/gaps.ts'
import { isFailure, statusOf, type Row, type RowStatus } from '../rows/rows.ts'
import type { VisibleLine } from '../rows/visible-rows.ts'
import type { Palette } from './paint.ts'
import { createTimeScale, type TimeRange, type TimeScale } from './time-scale.ts'
import { drawFolds, drawGrid } from './waterfall-ground.ts'
import { drawPath } from './waterfall-path.ts'

/** What a waterfall is drawn from. */
export interface WaterfallView {
  /** The lines in sight, from the top. */
  readonly lines: readonly VisibleLine[]
  /** Where the first of them begins, in pixels from the top of the canvas. */
  readonly offset: number
  readonly rowHeight: number
  readonly width: number
  readonly range: TimeRange
  /** Idle times that are drawn folded. */
  readonly gaps: readonly Gap[]
  /** What is not answered yet goes on until now. */
  readonly now: number
  /** What is picked, where it is a request. */
  readonly path: CriticalPath | undefined
  readonly pathOf: (row: Row) => CriticalPath | undefined
}

const pad = 8
const maxFolds = 12

/**
 * A bar for each row in sight: from request to answer, by whom it waited for, with a tick for each progress report on the
 * way. Returns the scale it is drawn by.
 */
export function drawWaterfall(
  context: CanvasRenderingContext2D,
  view: WaterfallView,
  palette: Palette,
): TimeScale {
  const { lines, offset, rowHeight, range, width } = view
  const folds = gapsWithin(view.gaps, range.from, range.to, maxFolds)
  const scale = createTimeScale(range, folds, pad, width - pad)
  const bottom = offset + lines.length * rowHeight
  drawGrid(context, pad, width - pad, bottom, palette)
  drawFolds(context, scale.folds, bottom, palette)
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'gap') continue
    drawRow(context, line.row, offset + (index + 0.5) * rowHeight, scale.x, view, palette)
  }
  if (view.path) drawPath(context, view.path, view, scale.x, palette)
  return scale
}

/** The time the rows in sight take up. */
export function fitRange(lines: readonly VisibleLine[], now: number): TimeRange {
  let from = Infinity
  let to = -Infinity
  for (const line of lines) {
    if (line.kind === 'gap') continue
    const { row } = line
    from = Math.min(from, row.entry.time)
    const isPending = isGoingOn(statusOf(row))
    to = Math.max(
      to,
      (row.answer ?? row.ended ?? row.entry).time,
      isPending ? Math.min(now, row.entry.time + 5000) : 0,
    )
  }
  if (from > to) return { from: 0, to: 1 }
  return { from, to: Math.max(to, from + 1) }
}

/** The colour of each whom a call can wait for. */
export function colorOf(who: PathWho, palette: Palette): string {
  switch (who) {
    case 'server':
      return palette.accent
    case 'client':
      return palette.info
    case 'person':
      return palette.good
    case 'network':
      return palette.warning
    case 'unknown':
      return palette.quiet
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
  const end = x(row.answer?.time ?? row.ended?.time ?? Math.max(view.now, row.entry.time))
  const length = Math.max(3, end - start)
  const path = isGoingOn(status) ? undefined : view.pathOf(row)
  context.fillStyle = fillOf(status, palette)
  context.globalAlpha = isGoingOn(status) ? 0.45 : row.entry.kind === 'http' ? 0.55 : 0.9
  context.beginPath()
  context.roundRect(start, middle - 5, length, 10, 3)
  context.fill()
  context.globalAlpha = 1
  if (path) drawWaits(context, path, end, middle, x, row.entry.direction === 'in' ? 10 : 4, palette)
  context.fillStyle = palette.surface
  for (const child of row.children) {
    if (child.entry.role === 'notification')
      context.fillRect(x(child.entry.time) - 1, middle - 3, 2, 6)
  }
  if (isFailure(status)) drawCross(context, start, length, middle, view.width, palette)
}

function isGoingOn(status: RowStatus): boolean {
  return status === 'pending' || status === 'open'
}

function fillOf(status: RowStatus, palette: Palette): string {
  if (isFailure(status)) return palette.bad
  if (status === 'pending') return palette.warning
  return status === 'ok' ? palette.accent : palette.quiet
}

/** The parts of a bar in which it was not the server that was waited for; thin behind the first answer. */
function drawWaits(
  context: CanvasRenderingContext2D,
  { segments, to }: CriticalPath,
  barEnd: number,
  middle: number,
  x: (time: number) => number,
  /** Of what is waited for in a bar: a call only waits, a question is that. */
  height: number,
  palette: Palette,
) {
  const end = x(to)
  if (end > barEnd) {
    context.fillStyle = palette.accent
    context.globalAlpha = 0.5
    context.fillRect(barEnd, middle - 1.5, end - barEnd, 3)
    context.globalAlpha = 1
  }
  for (const { from, to: until, who } of segments) {
    const [left, right] = [x(from), x(until)]
    if (who === 'server' || right - left < 1) continue
    const isInBar = left < barEnd
    if (isInBar) context.clearRect(left, middle - 5, right - left, 10)
    context.fillStyle = colorOf(who, palette)
    const high = isInBar ? height : 3
    context.fillRect(left, middle - high / 2, right - left, high)
  }
}

/** Told by shape as well as by colour; before the bar where there is no room behind it. */
function drawCross(
  context: CanvasRenderingContext2D,
  start: number,
  length: number,
  middle: number,
  width: number,
  palette: Palette,
) {
  const isAtEdge = start + length + 12 > width
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

function drawDiamond(context: CanvasRenderingContext2D, x: number, y: number, radius: number) {
  context.beginPath()
  context.moveTo(x, y - radius)
  context.lineTo(x + radius, y)
  context.lineTo(x, y + radius)
  context.lineTo(x - radius, y)
  context.fill()
}

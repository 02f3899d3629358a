import type { Palette } from './paint.ts'
import type { TimeScale } from './time-scale.ts'

/** Lines at the quarters. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  bottom: number,
  palette: Palette,
): void {
  context.fillStyle = palette.line
  for (let part = 0; part <= 4; part++) {
    context.fillRect(Math.round(left + ((right - left) * part) / 4), 0, 1, bottom)
  }
}

/** A hatched band for each idle time that is folded. */
export function drawFolds(
  context: CanvasRenderingContext2D,
  folds: TimeScale['folds'],
  bottom: number,
  palette: Palette,
): void {
  const step = 7
  for (const { left, right } of folds) {
    const width = right - left
    context.save()
    context.beginPath()
    context.rect(left, 0, width, bottom)
    context.clip()
    context.fillStyle = palette.surface
    context.fillRect(left, 0, width, bottom)
    context.strokeStyle = palette.quiet
    context.globalAlpha = 0.45
    context.lineWidth = 1
    context.beginPath()
    for (let y = -width; y < bottom + width; y += step) {
      context.moveTo(left, y + width)
      context.lineTo(right, y)
    }
    context.stroke()
    context.restore()
  }
}

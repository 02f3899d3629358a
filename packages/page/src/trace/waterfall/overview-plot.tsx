import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState, type PointerEvent, type ReactElement } from 'react'

import { formatMs } from '../../parts/duration.ts'
import type { Summary } from '../rows/summary.ts'
import { useTrace } from '../trace-state.ts'
import { prepareCanvas, readPalette } from './paint.ts'
import type { TimeRange } from './time-scale.ts'

const height = 34

/** How much happened when; dragging over it zooms. The figures beside it and the table below say the same in words. */
export function OverviewPlot({ summary }: { readonly summary: Summary }): ReactElement {
  const range = useTrace((state) => state.range)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drag, setDrag] = useState<TimeRange>()
  const shown = drag ?? range
  const span = summary.to - summary.from

  useEffect(() => {
    const context = canvas.current && prepareCanvas(canvas.current, width, height)
    if (!context || !canvas.current || width === 0) return
    const palette = readPalette(canvas.current)
    const most = Math.max(1, ...summary.counts)
    const step = width / summary.counts.length
    for (const [index, count] of summary.counts.entries()) {
      if (count === 0) continue
      const high = Math.max(2, (count / most) * (height - 6))
      const failed = ((summary.failures[index] ?? 0) / count) * high
      context.fillStyle = palette.accent
      context.globalAlpha = 0.75
      context.fillRect(index * step, height - high, Math.max(1, step - 1), high)
      context.globalAlpha = 1
      context.fillStyle = palette.bad
      if (failed > 0) {
        const tall = Math.max(3, failed)
        context.fillRect(index * step, height - tall, Math.max(2, step - 1), tall)
      }
    }
    if (!shown || span <= 0) return
    const left = ((shown.from - summary.from) / span) * width
    const right = ((shown.to - summary.from) / span) * width
    context.globalAlpha = 0.16
    context.fillStyle = palette.text
    context.fillRect(0, 0, left, height)
    context.fillRect(right, 0, width - right, height)
    context.globalAlpha = 1
    context.fillStyle = palette.accent
    context.fillRect(left - 1, 0, 2, height)
    context.fillRect(right - 1, 0, 2, height)
  })

  const timeAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))
    return summary.from + share * span
  }
  const end = (event: PointerEvent) => {
    if (!drag) return
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)]
    event.currentTarget.releasePointerCapture(event.pointerId)
    setDrag(undefined)
    useTrace.setState({ range: to - from > span / 500 ? { from, to } : undefined })
  }
  return (
    <div
      ref={ref}
      className="trace-overview"
      title="Drag to zoom into a part of the time; click to see all"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const time = timeAt(event)
        setDrag({ from: time, to: time })
      }}
      onPointerMove={(event) => drag && setDrag({ from: drag.from, to: timeAt(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(undefined)}
    >
      <canvas
        ref={canvas}
        style={{ width: '100%', height }}
        role="img"
        aria-label={`${summary.rows} rows in ${formatMs(span)}, ${summary.errors} with errors`}
      />
    </div>
  )
}

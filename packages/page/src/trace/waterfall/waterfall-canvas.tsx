import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, type ReactElement, type RefObject } from 'react'

import { formatMs } from '../../parts/duration.ts'
import type { Gap } from '../rows/gaps.ts'
import { pathOfRow, waitsForServer } from '../rows/row-path.ts'
import type { VisibleLine } from '../rows/visible-rows.ts'
import { useTrace } from '../trace-state.ts'
import { prepareCanvas, readPalette, type Palette } from './paint.ts'
import { drawWaterfall, fitRange } from './waterfall.ts'

export interface WaterfallCanvasProps {
  readonly lines: readonly VisibleLine[]
  readonly gaps: readonly Gap[]
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Where the length of the time in sight is written. */
  readonly axis: RefObject<HTMLSpanElement | null>
  readonly width: number
  readonly rowHeight: number
  readonly headHeight: number
  /** Changes when other lines come into sight. */
  readonly items: unknown
}

/** The bars beside the lines in sight. Few are, so they are simply drawn whenever something changes. */
export function WaterfallCanvas(props: WaterfallCanvasProps): ReactElement {
  const { lines, gaps, scroller, axis, width, rowHeight, headHeight, items } = props
  const { source, selected, range, isRealTime } = useTrace()
  const scheme = useComputedColorScheme('light')
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useRef<Palette>(undefined)
  useEffect(() => {
    palette.current = undefined
  }, [scheme])

  useEffect(() => {
    const element = scroller.current
    const plot = canvas.current
    if (!element || !plot || width < 20) return
    // What is measured is measured first: after a change the browser would have to lay out all of it again.
    const { clientHeight, clientWidth, offsetWidth, scrollTop: top } = element
    const height = clientHeight - headHeight
    setStyle(plot, 'right', `${offsetWidth - clientWidth}px`)
    setStyle(plot, 'height', `${height}px`)
    const context = prepareCanvas(plot, width, height)
    if (!context) return
    const first = Math.floor(top / rowHeight)
    const inSight = lines.slice(first, first + Math.ceil(clientHeight / rowHeight))
    const { table } = source
    const { now } = table
    const picked = selected === undefined ? undefined : table.find(selected)
    palette.current ??= readPalette(plot)
    const time = range ?? fitRange(inSight, now)
    const { foldedMs } = drawWaterfall(
      context,
      {
        lines: inSight,
        offset: first * rowHeight - top,
        rowHeight,
        width,
        range: time,
        gaps: isRealTime ? [] : gaps,
        now,
        path: picked && pathOfRow(table, picked),
        pathOf: (row) => (waitsForServer(row) ? undefined : pathOfRow(table, row)),
      },
      palette.current,
    )
    if (axis.current) {
      const shown = formatMs(time.to - time.from - foldedMs)
      axis.current.textContent =
        foldedMs > 0 && width > 220 ? `${shown} + ${formatMs(foldedMs)} idle` : shown
    }
  }, [
    items,
    lines,
    gaps,
    width,
    range,
    selected,
    scheme,
    isRealTime,
    source,
    scroller,
    axis,
    rowHeight,
    headHeight,
  ])
  return <canvas ref={canvas} className="trace-canvas" style={{ width }} aria-hidden="true" />
}

function setStyle(element: HTMLElement, name: 'right' | 'height', value: string) {
  if (element.style[name] !== value) element.style[name] = value
}

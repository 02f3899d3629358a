import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type ReactElement,
} from 'react'

import { formatMs } from '../parts/duration.ts'
import { prepareCanvas, readPalette, type Palette } from './paint.ts'
import { TraceRow } from './trace-row.tsx'
import { selectRow, toggleRow, useTrace } from './trace-state.ts'
import type { VisibleRow } from './visible-rows.ts'
import { drawWaterfall, fitRange } from './waterfall.ts'

const rowHeight = 24
const headHeight = 25
const headers = ['Time', 'Server', 'What', 'Status', 'Took', 'Size', 'Waterfall'] as const

export interface TraceListProps {
  readonly rows: readonly VisibleRow[]
  readonly onReplay: () => void
}

/** Every row as a table of which only the lines in sight exist, with the waterfall drawn beside them. */
export function TraceList({ rows, onReplay }: TraceListProps): ReactElement {
  const { selected, pins, opened, isFollowing, range } = useTrace()
  const scheme = useComputedColorScheme('light')
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const axis = useRef<HTMLDivElement>(null)
  const { ref: plotRef, width } = useElementSize<HTMLDivElement>()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingEnd: headHeight,
  })
  const items = virtual.getVirtualItems()
  const newest = useRef(rows)
  newest.current = rows
  const at = useMemo(
    () => (selected === undefined ? -1 : rows.findIndex(({ row }) => isRow(row, selected))),
    [rows, selected],
  )

  const select = useCallback((index: number) => {
    const seq = newest.current[index]?.row.entry.seq
    if (seq !== undefined) selectRow(seq)
  }, [])

  useEffect(() => {
    if (isFollowing && rows.length > 0) virtual.scrollToIndex(rows.length - 1)
  }, [isFollowing, rows.length, virtual])
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new choice brings its row into sight
  }, [selected])

  const palette = useRef<Palette>(undefined)
  useEffect(() => {
    palette.current = undefined
  }, [scheme])

  // Few rows are in sight, so the waterfall is simply drawn whenever they are.
  useEffect(() => {
    const element = scroller.current
    const plot = canvas.current
    if (!element || !plot || width < 20) return
    const height = element.clientHeight - headHeight
    plot.style.right = `${element.offsetWidth - element.clientWidth}px`
    plot.style.height = `${height}px`
    const context = prepareCanvas(plot, width, height)
    if (!context) return
    const top = element.scrollTop
    const first = Math.floor(top / rowHeight)
    const count = Math.ceil(element.clientHeight / rowHeight)
    const inSight = rows.slice(first, first + count)
    const last = rows.at(-1)?.row
    const now = last ? (last.answer ?? last.entry).time : 0
    const time = range ?? fitRange(inSight, now)
    const offset = first * rowHeight - top
    palette.current ??= readPalette(plot)
    drawWaterfall(
      context,
      { rows: inSight, offset, rowHeight, width, range: time, now, selected },
      palette.current,
    )
    if (axis.current) axis.current.textContent = formatMs(time.to - time.from)
  }, [items, rows, width, range, selected, scheme])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const go = (index: number) => select(Math.max(0, Math.min(rows.length - 1, index)))
    const current = rows[at]
    if (event.key === 'ArrowDown' || event.key === 'j') go(at + 1)
    else if (event.key === 'ArrowUp' || event.key === 'k') go(at === -1 ? rows.length - 1 : at - 1)
    else if (event.key === 'PageDown') go(at + page)
    else if (event.key === 'PageUp') go(at - page)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(rows.length - 1)
    else if (event.key === 'Escape') selectRow(undefined)
    else if (event.key === '.') onReplay()
    else if (event.key === 'ArrowRight' && current && !opened.has(current.row.entry.seq)) {
      toggleRow(current.row.entry.seq)
    } else if (event.key === 'ArrowLeft' && current && opened.has(current.row.entry.seq)) {
      toggleRow(current.row.entry.seq)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="trace-table">
      <div
        ref={scroller}
        role="grid"
        className="trace-scroll"
        tabIndex={0}
        data-list
        aria-label="Rows of the trace"
        aria-rowcount={rows.length + 1}
        aria-colcount={headers.length}
        aria-activedescendant={at === -1 ? undefined : `trace-${rows[at]?.row.entry.seq}`}
        onKeyDown={onKeyDown}
        onWheel={() => isFollowing && useTrace.setState({ isFollowing: false })}
      >
        <div role="row" aria-rowindex={1} className="trace-head">
          {headers.map((header) => (
            <span
              key={header}
              role="columnheader"
              className={`trace-head-${header.toLowerCase()}`}
              {...(header === 'Waterfall' && { ref: plotRef })}
            >
              {header}
              {header === 'Waterfall' && <span ref={axis} className="trace-axis" />}
            </span>
          ))}
        </div>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="rowgroup">
          {items.map(({ index, start }) => {
            const visible = rows[index]
            if (!visible) return null
            const { row, depth } = visible
            return (
              <TraceRow
                key={row.entry.seq}
                row={row}
                answerSeq={row.answer?.seq}
                childCount={row.children.length}
                depth={depth}
                index={index}
                top={start}
                isSelected={index === at}
                isPinned={pins.has(row.entry.seq)}
                isOpen={opened.has(row.entry.seq)}
                onSelect={select}
              />
            )
          })}
        </div>
      </div>
      <canvas ref={canvas} className="trace-canvas" style={{ width }} aria-hidden="true" />
    </div>
  )
}

function isRow(row: VisibleRow['row'], seq: number): boolean {
  return row.entry.seq === seq || row.answer?.seq === seq
}

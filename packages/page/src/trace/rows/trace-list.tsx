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

import { selectGap, selectRow, toggleRow, useTrace, zoomTo } from '../trace-state.ts'
import { WaterfallCanvas } from '../waterfall/waterfall-canvas.tsx'
import { GapRow } from './gap-row.tsx'
import type { Gap } from './gaps.ts'
import { answeredBy } from './row-path.ts'
import { statusOf } from './rows.ts'
import { TraceRow } from './trace-row.tsx'
import { lineKey, type VisibleLine } from './visible-rows.ts'

const rowHeight = 24
const headHeight = 25
const headers = ['Time', 'Server', 'What', 'Status', 'Took', 'Size', 'Waterfall'] as const

export interface TraceListProps {
  readonly lines: readonly VisibleLine[]
  readonly gaps: readonly Gap[]
  readonly onReplay: () => void
}

/** Every row as a table of which only the lines in sight exist, with the waterfall drawn beside them. */
export function TraceList({ lines, gaps, onReplay }: TraceListProps): ReactElement {
  const { source, selected, selectedGap, pins, opened, isFollowing } = useTrace()
  const scroller = useRef<HTMLDivElement>(null)
  const axis = useRef<HTMLSpanElement>(null)
  const { ref: plotRef, width } = useElementSize<HTMLDivElement>()
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingEnd: headHeight,
  })
  const items = virtual.getVirtualItems()
  const newest = useRef(lines)
  newest.current = lines
  const at = useMemo(
    () => lines.findIndex((line) => isPicked(line, selected, selectedGap)),
    [lines, selected, selectedGap],
  )

  const select = useCallback((index: number) => {
    const line = newest.current[index]
    if (line?.kind === 'gap') selectGap(line.gap.next.entry.seq)
    else if (line) selectRow(line.row.entry.seq)
  }, [])

  useEffect(() => {
    if (!source.isLive && scroller.current) scroller.current.scrollTop = 0
  }, [source])
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtual.scrollToIndex(lines.length - 1)
  }, [isFollowing, lines.length, virtual])
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new choice brings its row into sight
  }, [selected, selectedGap])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const go = (index: number) => select(Math.max(0, Math.min(lines.length - 1, index)))
    const line = lines[at]
    const current = line?.kind === 'row' ? line.row : undefined
    if (event.key === 'ArrowDown' || event.key === 'j') go(at + 1)
    else if (event.key === 'ArrowUp' || event.key === 'k') go(at === -1 ? lines.length - 1 : at - 1)
    else if (event.key === 'PageDown') go(at + page)
    else if (event.key === 'PageUp') go(at - page)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(lines.length - 1)
    else if (event.key === 'Escape') selectRow(undefined)
    else if (event.key === '.') onReplay()
    else if (event.key === 'z' && current) zoomTo(current.entry.time, current.end)
    else if (event.key === 'Z') useTrace.setState({ range: undefined })
    else if (event.key === 'ArrowRight' && current && !opened.has(current.entry.seq)) {
      toggleRow(current.entry.seq)
    } else if (event.key === 'ArrowLeft' && current && opened.has(current.entry.seq)) {
      toggleRow(current.entry.seq)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const picked = lines[at]
  return (
    <div className="trace-table">
      <div
        ref={scroller}
        role="grid"
        className="trace-scroll"
        tabIndex={0}
        data-list
        aria-label="Rows of the trace"
        aria-rowcount={lines.length + 1}
        aria-colcount={headers.length}
        aria-activedescendant={picked && lineKey(picked)}
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
            const line = lines[index]
            if (!line) return null
            const rowPlacement = { index, top: start, isSelected: index === at, onSelect: select }
            const id = lineKey(line)
            if (line.kind === 'gap') {
              return <GapRow key={id} id={id} gap={line.gap} {...rowPlacement} />
            }
            const { row, depth } = line
            return (
              <TraceRow
                key={id}
                row={row}
                answerSeq={row.answer?.seq}
                status={statusOf(row)}
                answeredBy={answeredBy(source.table, row)}
                childCount={row.children.length}
                depth={depth}
                isPinned={pins.has(row.entry.seq)}
                isOpen={opened.has(row.entry.seq)}
                {...rowPlacement}
              />
            )
          })}
        </div>
      </div>
      <WaterfallCanvas {...{ lines, gaps, scroller, axis, width, rowHeight, headHeight, items }} />
    </div>
  )
}

function isPicked(line: VisibleLine, seq: number | undefined, gap: number | undefined): boolean {
  if (line.kind === 'gap') return gap === line.gap.next.entry.seq
  if (seq === undefined) return false
  return line.row.entry.seq === seq || line.row.answer?.seq === seq
}

import { memo, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { formatBytes, formatMs, formatTime } from '../../parts/duration.ts'
import { toggleRow } from '../trace-state.ts'
import { durationOf, isFailure, type Row, type RowStatus } from './rows.ts'

export interface TraceRowProps {
  readonly row: Row
  /** Rows change in place; a change of this draws them anew. */
  readonly answerSeq: number | undefined
  readonly status: RowStatus
  /** Who answered what a server asked. */
  readonly answeredBy: string | undefined
  readonly childCount: number
  readonly depth: number
  readonly index: number
  readonly top: number
  readonly isSelected: boolean
  readonly isPinned: boolean
  readonly isOpen: boolean
  readonly onSelect: (index: number) => void
}

/** One line of the table. */
export const TraceRow = memo(function TraceRow(props: TraceRowProps): ReactElement {
  const { row, status, depth, index, top, isSelected, isPinned, isOpen, childCount } = props
  const { entry } = row
  const ms = durationOf(row)
  const bytes = entry.bytes + (row.answer?.bytes ?? 0)
  const more = row.children.filter(({ entry: child }) => child.role !== 'request').length
  return (
    <div
      id={`trace-${entry.seq}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className="trace-row"
      data-status={status}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => props.onSelect(index)}
    >
      <span role="cell" className="trace-time">
        {formatTime(entry.at)}
      </span>
      <span role="cell" className="trace-server cut">
        {entry.server}
      </span>
      <span role="cell" className="trace-what" style={{ paddingLeft: depth * 16 }}>
        <span className="trace-turn">
          {childCount > 0 && more > 0 && (
            <button
              type="button"
              tabIndex={-1}
              aria-label={isOpen ? 'Hide what it led to' : `Show what it led to: ${more}`}
              aria-expanded={isOpen}
              onClick={(event) => {
                event.stopPropagation()
                toggleRow(entry.seq)
              }}
            >
              <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
            </button>
          )}
        </span>
        <span className="trace-direction" data-direction={entry.direction}>
          {entry.direction === 'in' ? '←' : entry.direction === 'out' ? '→' : '·'}
          <span className="visually-hidden">
            {entry.direction === 'in' ? 'from the server' : 'to the server'}
          </span>
        </span>
        {isFailure(status) && <Icon name="alert" size={12} className="trace-alert" />}
        <span className="trace-label">{entry.label}</span>
        {props.answeredBy !== undefined && <span className="trace-by">({props.answeredBy})</span>}
        <span className="trace-subject cut">{entry.subject}</span>
        {isPinned && <Icon name="pin" size={12} className="trace-pin" />}
        {more > 0 && !isOpen && <span className="trace-count">+{more}</span>}
      </span>
      <span role="cell" className="trace-status">
        {status === 'pending' && <Icon name="clock" size={12} />}
        {status !== 'plain' && (
          <span className={status === 'ok' ? 'visually-hidden' : undefined}>{status}</span>
        )}
      </span>
      <span role="cell" className="trace-duration">
        {ms === undefined ? '' : formatMs(ms)}
      </span>
      <span role="cell" className="trace-bytes">
        {bytes > 0 ? formatBytes(bytes) : ''}
      </span>
      <span role="cell" className="trace-plot-cell" />
    </div>
  )
})

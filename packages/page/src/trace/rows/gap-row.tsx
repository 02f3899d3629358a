import { memo, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { formatMs, formatTime } from '../../parts/duration.ts'
import type { Gap } from './gaps.ts'

export interface GapRowProps {
  readonly id: string
  readonly gap: Gap
  readonly index: number
  readonly top: number
  readonly isSelected: boolean
  readonly onSelect: (index: number) => void
}

/** The line between two rows that says for how long nothing was in flight. */
export const GapRow = memo(function GapRow(props: GapRowProps): ReactElement {
  const { id, gap, index, top, isSelected, onSelect } = props
  const ms = gap.to - gap.from
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className="trace-row trace-gap"
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(index)}
    >
      <span role="cell" className="trace-time">
        {formatTime(gap.next.entry.at - ms)}
      </span>
      <span role="cell" className="trace-server" />
      <span role="cell" className="trace-what">
        <span className="trace-turn" />
        <Icon name="clock" size={12} />
        <span className="cut">{gapText(gap)}</span>
      </span>
      <span role="cell" className="trace-status" />
      <span role="cell" className="trace-duration">
        {formatMs(ms)}
      </span>
      <span role="cell" className="trace-bytes" />
      <span role="cell" className="trace-plot-cell" />
    </div>
  )
})

/** A pause in words; with a filter other things may have happened in it. */
function gapText({ from, to, unanswered, isIdle }: Gap): string {
  const length = formatMs(to - from)
  if (!isIdle) return `${length} without a match`
  if (unanswered === 0) return `${length} idle`
  return `${length} idle, ${unanswered} ${unanswered === 1 ? 'request' : 'requests'} unanswered`
}

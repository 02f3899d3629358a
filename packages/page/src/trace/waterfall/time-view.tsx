import type { CriticalPath, PathSegment, PathWho } from '@parley/foundation/trace/view'
import { formatShare, timeByWho } from '@parley/foundation/trace/view'
import type { ReactElement } from 'react'

import { formatMs } from '../../parts/duration.ts'
import { selectRow } from '../trace-state.ts'

const everyWho: readonly PathWho[] = ['server', 'client', 'person', 'network', 'unknown']

/** What the time of a call was spent on, as one bar in proportion. */
export function TimeBar({ path }: { readonly path: CriticalPath }): ReactElement {
  const { segments, durationMs } = path
  const times = timeByWho(path)
  const words = everyWho
    .filter((who) => times[who] > 0)
    .map((who) => `${who} ${formatShare(times[who] / durationMs)}`)
  return (
    <div className="time-bar" role="img" aria-label={`Where the time went: ${words.join(', ')}`}>
      {segments.map((segment) => (
        <span
          key={segment.from}
          data-who={segment.who}
          title={`${segment.what}, ${formatMs(segment.to - segment.from)}`}
          style={{ flexGrow: (segment.to - segment.from) / durationMs }}
        />
      ))}
    </div>
  )
}

/** The same in words: whom the call waited for in all, and then moment by moment. */
export function TimeView({ path }: { readonly path: CriticalPath }): ReactElement {
  const { segments, durationMs, from, isOpen } = path
  const times = timeByWho(path)
  return (
    <div className="time-view">
      <ul className="time-sums" aria-label="What it waited for">
        {everyWho
          .filter((who) => times[who] > 0)
          .map((who) => (
            <li key={who}>
              <Swatch who={who} />
              {who} <strong>{formatShare(times[who] / durationMs)}</strong>{' '}
              <span className="quiet">{formatMs(times[who])}</span>
            </li>
          ))}
        <li className="quiet">
          {isOpen ? `not finished after ${formatMs(durationMs)}` : `${formatMs(durationMs)} in all`}
        </li>
      </ul>
      <table className="table time-table">
        <caption className="visually-hidden">What the time of the call was spent on</caption>
        <thead>
          <tr>
            <th>At</th>
            <th>Took</th>
            <th>Share</th>
            <th>Who</th>
            <th>What</th>
          </tr>
        </thead>
        <tbody>
          {segments.map((segment) => (
            <tr key={segment.from}>
              <td className="number">{offset(segment.from - from)}</td>
              <td className="number">{formatMs(segment.to - segment.from)}</td>
              <td className="number">{formatShare((segment.to - segment.from) / durationMs)}</td>
              <td>
                <Swatch who={segment.who} />
                {segment.who}
              </td>
              <td>
                <What segment={segment} call={path.seq} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function offset(ms: number): string {
  return ms < 1 ? '0 ms' : `+${formatMs(ms)}`
}

/** Leads to the row it is about, where that is another. */
function What(props: { readonly segment: PathSegment; readonly call: number }): ReactElement {
  const { what, seq } = props.segment
  if (seq === props.call) return <>{what}</>
  return (
    <button type="button" className="link-button" onClick={() => selectRow(seq)}>
      {what}
    </button>
  )
}

function Swatch({ who }: { readonly who: PathWho }): ReactElement {
  return <span className="time-swatch" data-who={who} aria-hidden="true" />
}

import { DataTable, formatMs } from '@parley/page/parts'
import { useEffect, useMemo, useState, type ReactElement } from 'react'

import { useStore } from '../store.ts'
import { readThread } from '../thread/read-thread.ts'
import { visible } from '../visible.ts'
import { activityRows, type ActivityRow } from './activity-rows.ts'

/** The calls of the newest turn as bars over time: light while they wait for you, dark while the server works. */
export function Activity(): ReactElement {
  const entries = useStore((store) => store.entries)
  const running = useStore((store) => store.running)
  const [now, setNow] = useState(() => Date.now())
  const isRunning = running?.isEnded === false
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isRunning])
  const items = useMemo(() => readThread(entries, running), [entries, running])
  const { rows, from, to } = activityRows(items, now)
  if (rows.length === 0) return <p className="right-part quiet">No tool was called yet.</p>
  return (
    <div className="right-part">
      <DataTable
        label="Calls of the newest turn"
        columns={[
          'Call',
          `Over ${formatMs(to - from)}`,
          { title: 'Asked', align: 'right' },
          { title: 'Ran', align: 'right' },
        ]}
      >
        {rows.map((row) => (
          <Row key={row.key} row={row} from={from} span={to - from} />
        ))}
      </DataTable>
    </div>
  )
}

function Row(props: {
  readonly row: ActivityRow
  readonly from: number
  readonly span: number
}): ReactElement {
  const { row, from, span } = props
  const part = (ms: number) => `${(ms / span) * 100}%`
  return (
    <tr>
      <td className="wrap">{visible(row.name)}</td>
      <td className="activity-bar">
        <span aria-hidden="true">
          <span style={{ width: part(row.from - from) }} />
          <span data-part="asked" style={{ width: part(row.decided - row.from) }} />
          <span
            data-part={row.isError ? 'failed' : 'ran'}
            style={{ width: part(row.to - row.decided) }}
          />
        </span>
      </td>
      <td className="number">{formatMs(row.decided - row.from)}</td>
      <td className="number">
        {formatMs(row.to - row.decided)}
        {row.isOpen && '…'}
      </td>
    </tr>
  )
}

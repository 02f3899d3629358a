import { Button, Loader, SegmentedControl } from '@mantine/core'
import type { TraceRecord } from '@parley/foundation/trace'
import { compareTraces, type ComparedExchange } from '@parley/foundation/trace/view'
import { useEffect, useState, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { formatMs } from '../parts/duration.ts'
import { Tag, type Tone } from '../parts/tag.tsx'
import type { FileSource } from './file-source.ts'
import { useTrace } from './trace-state.ts'

const tones: { readonly [kind in ComparedExchange['kind']]: Tone } = {
  same: 'good',
  changed: 'warning',
  'only-left': 'bad',
  'only-right': 'info',
}
const words: { readonly [kind in ComparedExchange['kind']]: string } = {
  same: 'same',
  changed: 'changed',
  'only-left': 'only here',
  'only-right': 'only there',
}
/** More rows than anybody compares by eye. */
const maximumShown = 500
const maximumCompared = 50_000

/** This trace beside another: requests aligned by method and order, and what changed in each. */
export function CompareView({ other }: { readonly other: FileSource }): ReactElement {
  const source = useTrace((state) => state.source)
  const [compared, setCompared] = useState<readonly ComparedExchange[]>()
  const [shown, setShown] = useState<'differences' | 'all'>('differences')
  useEffect(() => {
    let isCurrent = true
    async function compare() {
      const records: TraceRecord[] = []
      for await (const page of source.pages()) {
        records.push(...page)
        if (!isCurrent || records.length > maximumCompared) break
      }
      if (isCurrent) setCompared(compareTraces(records, other.records.slice(0, maximumCompared)))
    }
    compare().catch(() => isCurrent && setCompared([])) // nothing to compare with
    return () => {
      isCurrent = false
    }
  }, [source, other])
  const rows = compared?.filter(({ kind }) => shown === 'all' || kind !== 'same') ?? []
  const different = compared?.filter(({ kind }) => kind !== 'same').length ?? 0
  return (
    <div className="trace-compare">
      <div className="trace-toolbar">
        <strong className="cut">
          {source.name} ↔ {other.name}
        </strong>
        <span className="quiet">
          {compared ? `${different} of ${compared.length} requests differ` : ''}
        </span>
        <span className="grow" />
        <SegmentedControl
          aria-label="Which requests"
          value={shown}
          onChange={setShown}
          data={['differences', 'all']}
        />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="cross" size={12} />}
          onClick={() => useTrace.setState({ isComparing: false, compared: undefined })}
        >
          Close
        </Button>
      </div>
      <div className="table-scroll">
        {!compared && <Loader size={16} m={12} />}
        <table className="table">
          <thead>
            <tr>
              <th>Request</th>
              <th>How it compares</th>
              <th>Took here</th>
              <th>Took there</th>
              <th>What changed</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maximumShown).map((row, index) => (
              <tr key={index}>
                <td>
                  {row.method} <span className="quiet">{row.name}</span>
                </td>
                <td>
                  <Tag tone={tones[row.kind]}>{words[row.kind]}</Tag>
                </td>
                <td>{timeOf(row.left?.durationMs)}</td>
                <td>{timeOf(row.right?.durationMs)}</td>
                <td className="mono wrap">
                  {row.changes.slice(0, 8).map(({ pointer, left, right }) => (
                    <div key={pointer}>
                      {pointer}: {short(left)} → {short(right)}
                    </div>
                  ))}
                  {row.changes.length > 8 && <div>… {row.changes.length - 8} more</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : formatMs(ms)
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

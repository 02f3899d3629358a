import { Button, Loader, SegmentedControl } from '@mantine/core'
import type { TraceRecord } from '@parley/foundation/trace'
import { compareTraces, type ComparedExchange } from '@parley/foundation/trace/view'
import { useEffect, useState, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import type { FileSource } from '../source/file-source.ts'
import { useTrace } from '../trace-state.ts'
import { CompareRow } from './compare-row.tsx'

/** More rows than anybody compares by eye. */
const maximumShown = 500
const maximumCompared = 50_000

type Choice = 'differences' | 'slower' | 'all'

/** This trace beside another: requests aligned by method and order, and what changed in each. */
export function CompareView({ other }: { readonly other: FileSource }): ReactElement {
  const source = useTrace((state) => state.source)
  const [compared, setCompared] = useState<readonly ComparedExchange[]>()
  const [shown, setShown] = useState<Choice>('differences')
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
  const rows = compared ? choose(compared, shown) : []
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
          data={['differences', 'slower', 'all']}
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
      <div className="table-scroll" role="region" aria-label="Requests side by side" tabIndex={0}>
        {!compared && <Loader size={16} m={12} />}
        <table className="table">
          <thead>
            <tr>
              <th>Request</th>
              <th>How it compares</th>
              <th>Took here</th>
              <th>Took there</th>
              <th>Slower there</th>
              <th>What changed</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maximumShown).map((row, index) => (
              <CompareRow key={index} row={row} />
            ))}
          </tbody>
        </table>
        {compared && rows.length === 0 && <p className="quiet compare-rest">{nothing[shown]}</p>}
        {rows.length > maximumShown && (
          <p className="quiet compare-rest">{rows.length - maximumShown} more are not shown.</p>
        )}
      </div>
    </div>
  )
}

const nothing: { readonly [choice in Choice]: string } = {
  differences: 'All requests are the same.',
  slower: 'No request took longer there.',
  all: 'There are no requests.',
}

/** In order; by how much longer they took where that is asked for. */
function choose(compared: readonly ComparedExchange[], shown: Choice) {
  if (shown === 'all') return compared
  if (shown === 'differences') return compared.filter(({ kind }) => kind !== 'same')
  return compared
    .filter(({ slowerMs = 0 }) => slowerMs >= 1)
    .toSorted((item, two) => (two.slowerMs ?? 0) - (item.slowerMs ?? 0))
}

import { formatMs } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Run } from '../runs.ts'

/** Runs that were started together: how many, how they ended, how long they took. */
export function BatchSummary({ runs }: { readonly runs: readonly Run[] }): ReactElement {
  const ended = runs.flatMap(({ outcome }) => (outcome ? [outcome] : []))
  const failed = ended.filter(({ error, result }) => error || result?.['isError'] === true).length
  const times = ended.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  const figures: readonly (readonly [string, string])[] = [
    ['runs', `${ended.length} of ${runs.length}`],
    ['failed', `${failed}`],
    ['fastest', show(times[0])],
    ['median', show(quantile(times, 0.5))],
    ['95 %', show(quantile(times, 0.95))],
    ['slowest', show(times.at(-1))],
  ]
  return (
    <dl className="figures" aria-label="Runs started together">
      {figures.map(([name, metric]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{metric}</dd>
        </div>
      ))}
    </dl>
  )
}

function quantile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

function show(ms: number | undefined): string {
  return ms === undefined ? '–' : formatMs(ms)
}

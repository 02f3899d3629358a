import { formatMs } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { Metrics } from '../../src/page-service/protocol.ts'

/** A rate as people read it. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0 calls/s'
  return perSecond < 10 ? `${perSecond.toFixed(1)} calls/s` : `${Math.round(perSecond)} calls/s`
}

export function formatTimes({ p50, p99 }: Metrics): string {
  return p50 === undefined || p99 === undefined ? '–' : `${formatMs(p50)} / ${formatMs(p99)}`
}

/** How much passes, and how fast, in a few words. */
export function MetricList({ metrics }: { readonly metrics: Metrics }): ReactElement {
  const { callsPerSecond, errorsPerSecond, inFlight } = metrics
  return (
    <dl className="figures">
      <div>
        <dt>calls</dt>
        <dd>{formatRate(callsPerSecond)}</dd>
      </div>
      <div data-tone={errorsPerSecond > 0 ? 'bad' : undefined}>
        <dt>errors</dt>
        <dd>{formatRate(errorsPerSecond)}</dd>
      </div>
      <div>
        <dt>in flight</dt>
        <dd>{inFlight}</dd>
      </div>
      <div>
        <dt>p50 / p99</dt>
        <dd>{formatTimes(metrics)}</dd>
      </div>
    </dl>
  )
}

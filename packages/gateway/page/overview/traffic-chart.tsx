import { formatMs } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { History } from '../../src/page-service/protocol.ts'

const width = 600
const height = 90
const lower = 44

/** Fifteen minutes: calls with those that failed at the foot of each bar, and below them how slow the slowest were. */
export function TrafficChart({ history }: { readonly history: History }): ReactElement {
  const { calls, errors, p99, stepSeconds } = history
  const step = width / calls.length
  const most = Math.max(1, ...calls)
  const slowest = Math.max(1, ...p99.map((ms) => ms ?? 0))
  const total = sum(calls)
  const failed = sum(errors)
  const minutes = Math.round((calls.length * stepSeconds) / 60)
  const points = p99.flatMap((ms, at) =>
    ms === null
      ? []
      : [`${((at + 0.5) * step).toFixed(1)},${(lower - (ms / slowest) * (lower - 6)).toFixed(1)}`],
  )
  return (
    <figure className="traffic-chart">
      <div className="row chart-head">
        <strong>Calls</strong>
        <span className="quiet">
          {total} in the last {minutes} minutes, {failed} failed
        </span>
        <span className="grow" />
        <span className="quiet number">
          {total === 0 ? '–' : `${formatPeak(most / stepSeconds)} at most`}
        </span>
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Calls of the last ${minutes} minutes: ${total}, of which ${failed} failed`}
      >
        {calls.map((count, at) => (
          // Each step has its place.
          <g key={at}>
            <rect
              className="bar"
              x={at * step}
              y={height - (count / most) * height}
              width={step - 2}
              height={(count / most) * height}
            />
            <rect
              className="bar-bad"
              x={at * step}
              y={height - ((errors[at] ?? 0) / most) * height}
              width={step - 2}
              height={((errors[at] ?? 0) / most) * height}
            />
          </g>
        ))}
      </svg>
      <div className="row chart-head">
        <strong>p99</strong>
        <span className="quiet">99 of 100 calls were faster</span>
        <span className="grow" />
        <span className="quiet number">{points.length === 0 ? '–' : formatMs(slowest)}</span>
      </div>
      <svg
        viewBox={`0 0 ${width} ${lower}`}
        preserveAspectRatio="none"
        className="chart-lower"
        role="img"
        aria-label={`p99 of the last ${minutes} minutes: at most ${formatMs(slowest)}`}
      >
        {points.length === 1 ? (
          <circle
            className="dot-line"
            cx={points[0]?.split(',')[0]}
            cy={points[0]?.split(',')[1]}
            r="2"
          />
        ) : (
          <polyline className="line" points={points.join(' ')} />
        )}
      </svg>
      <div className="row quiet chart-axis">
        <span className="grow">{minutes} min ago</span>
        <span>now</span>
      </div>
    </figure>
  )
}

function sum(list: readonly number[]): number {
  return list.reduce((total, each) => total + each, 0)
}

function formatPeak(perSecond: number): string {
  return perSecond < 10 ? `${perSecond.toFixed(1)} calls/s` : `${Math.round(perSecond)} calls/s`
}

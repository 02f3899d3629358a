import { SegmentedControl } from '@mantine/core'
import { formatMs } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { History, HistorySpan } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { useStore } from '../store.ts'

const width = 600
const height = 90
const lower = 44
/** A longer time is asked for, this often. */
const askEveryMs = 15_000

const spans: readonly {
  readonly value: HistorySpan
  readonly label: string
  readonly words: string
}[] = [
  { value: 'quarter', label: '15 min', words: '15 minutes' },
  { value: 'hour', label: '1 h', words: 'hour' },
  { value: 'day', label: '24 h', words: '24 hours' },
]

/** Calls with those that failed at the foot of each bar, and below them how slow the slowest were: of 15 minutes, an hour or a day. */
export function TrafficChart({ history }: { readonly history: History }): ReactElement {
  const [span, setSpan] = useState<HistorySpan>('quarter')
  const longer = useHistory(span)
  const isRecording = useStore((store) => store.state?.isRecording === true)
  const words = spans.find(({ value }) => value === span)?.words ?? ''
  return (
    <figure className="traffic-chart">
      <div className="row chart-span">
        {!isRecording && (
          <span className="quiet grow">
            Counted while this page is open; <code>page.record: true</code> counts always.
          </span>
        )}
        <span className="grow" />
        <SegmentedControl
          aria-label="Time"
          value={span}
          onChange={setSpan}
          data={spans.map(({ value, label }) => ({ value, label }))}
        />
      </div>
      <Chart history={(span === 'quarter' ? undefined : longer) ?? history} words={words} />
    </figure>
  )
}

function useHistory(span: HistorySpan): History | undefined {
  const [asked, setAsked] = useState<{ readonly span: HistorySpan; readonly history: History }>()
  useEffect(() => {
    if (span === 'quarter') return undefined
    let isOver = false
    const ask = () =>
      openChannel()
        .ask('traffic/history', { span })
        .then((history) => isOver || setAsked({ span, history }))
        .catch(() => undefined) // the line above the page says that the service is gone
    void ask()
    const timer = setInterval(() => void ask(), askEveryMs)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [span])
  return asked?.span === span ? asked.history : undefined
}

function Chart(props: { readonly history: History; readonly words: string }): ReactElement {
  const { history, words } = props
  const { calls, errors, p99, stepSeconds } = history
  const step = width / calls.length
  const most = niceAbove(Math.max(...calls) / stepSeconds) * stepSeconds
  const slowest = niceAbove(Math.max(...p99.map((ms) => ms ?? 0)))
  const total = sum(calls)
  const failed = sum(errors)
  const points = p99.flatMap((ms, at) =>
    ms === null
      ? []
      : [`${((at + 0.5) * step).toFixed(1)},${(lower - (ms / slowest) * (lower - 6)).toFixed(1)}`],
  )
  return (
    <>
      <div className="row chart-head">
        <span className="chart-key" data-of="calls">
          calls
        </span>
        <span className="chart-key" data-of="errors">
          errors
        </span>
        <span className="quiet">
          {total.toLocaleString('en')} in the last {words}, {failed.toLocaleString('en')} failed
        </span>
        <span className="grow" />
        <span className="quiet">calls/s</span>
      </div>
      <div className="plot">
        <Axis most={most / stepSeconds} />
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Calls of the last ${words}: ${total}, of which ${failed} failed`}
        >
          <path className="chart-grid" d={`M0 .5H${width}M0 ${height / 2}H${width}`} />
          {calls.map((count, at) => (
            // Each step has its place.
            <g key={at}>
              <title>{titleOf(count, errors[at] ?? 0, p99[at] ?? null, stepSeconds)}</title>
              <rect className="bar-hit" x={at * step} y="0" width={step} height={height} />
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
      </div>
      <div className="row chart-head">
        <span className="chart-key" data-of="p99">
          p99
        </span>
        <span className="quiet">99 of 100 calls were faster</span>
        <span className="grow" />
        <span className="quiet">milliseconds</span>
      </div>
      <div className="plot">
        <Axis most={slowest} />
        <svg
          viewBox={`0 0 ${width} ${lower}`}
          preserveAspectRatio="none"
          className="chart-lower"
          role="img"
          aria-label={
            points.length === 0
              ? `p99 of the last ${words}: no calls`
              : `p99 of the last ${words}: below ${formatMs(slowest)}`
          }
        >
          <path className="chart-grid" d={`M0 .5H${width}M0 ${lower / 2}H${width}`} />
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
      </div>
      <div className="row quiet chart-axis">
        {[1, 2 / 3, 1 / 3, 0].map((share) => (
          <span key={share}>{timeBefore(share * calls.length * stepSeconds)}</span>
        ))}
      </div>
    </>
  )
}

/** The highest value, half of it, and nothing. */
function Axis({ most }: { readonly most: number }): ReactElement {
  return (
    <div className="chart-scale quiet" aria-hidden="true">
      <span>{short(most)}</span>
      <span>{short(most / 2)}</span>
      <span>0</span>
    </div>
  )
}

function titleOf(count: number, failed: number, p99: number | null, stepSeconds: number): string {
  if (count === 0) return 'no calls'
  const rate = `${short(count / stepSeconds)} calls/s, ${failed} failed`
  return p99 === null ? rate : `${rate}, p99 ${formatMs(p99)}`
}

function timeBefore(seconds: number): string {
  return new Date(Date.now() - seconds * 1_000).toTimeString().slice(0, 5)
}

function sum(list: readonly number[]): number {
  return list.reduce((total, each) => total + each, 0)
}

/** The next of 1, 2, 5, 10 and so on: a scale that people read at a glance. */
function niceAbove(value: number): number {
  if (value <= 0) return 1
  const ten = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * ten >= value) ?? 10) * ten
}

function short(value: number): string {
  return value >= 10 ? String(Math.round(value)) : String(Number(value.toPrecision(2)))
}

import { Button, Progress } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { DataTable, downloadText, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { BenchReport } from '../../src/protocol/index.ts'
import { LatencyHistogram, LatencySeries } from './bench-plots.tsx'
import { toCsv } from './csv.ts'
import { formatLatency } from './latency.ts'

const figures = ['min', 'mean', 'p50', 'p90', 'p95', 'p99', 'max'] as const

/** How a load went: figures, plots, and the same as tables. */
export function BenchReportView({ report }: { readonly report: BenchReport }): ReactElement {
  const { plan, latency, errors, histogram, series, done } = report
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  return (
    <div className="bench-report">
      <div className="row">
        <Tag tone={done ? 'good' : 'info'}>{done ? 'done' : 'running'}</Tag>
        <strong className="cut">{plan.tool}</strong>
        <span className="quiet cut">
          {plan.rate === undefined
            ? `${plan.concurrency} callers, each waits for its answer`
            : `${plan.rate} calls a second, up to ${plan.concurrency} at once`}
        </span>
        <span className="grow" />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="download" size={13} />}
          onClick={() => downloadText(`${plan.tool}-bench.csv`, toCsv(report), 'text/csv')}
        >
          CSV
        </Button>
      </div>
      {!done && (
        <Progress
          aria-label="Time passed"
          value={Math.min(100, (report.elapsedMs / plan.durationMs) * 100)}
        />
      )}
      <dl className="bench-figures">
        <Metric name="calls" value={report.calls.toLocaleString('en')} />
        <Metric name="a second" value={report.perSecond.toFixed(report.perSecond < 10 ? 1 : 0)} />
        {plan.rate !== undefined && (
          <Metric
            name="never sent"
            value={report.unsent.toLocaleString('en')}
            isBad={report.unsent > 0}
          />
        )}
        <Metric name="errors" value={failed.toLocaleString('en')} isBad={failed > 0} />
        {figures.map((name) => (
          <Metric key={name} name={name} value={formatLatency(latency[name])} />
        ))}
      </dl>
      {failed > 0 && (
        <section className="card" aria-label="Errors by kind">
          <div className="card-head">Errors by kind</div>
          <table className="table">
            <tbody>
              {Object.entries(errors).map(([code, count]) => (
                <tr key={code}>
                  <th scope="row" className="mono">
                    {code}
                  </th>
                  <td>{count.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <section className="card" aria-label="How many calls took how long">
        <div className="card-head">How many calls took how long</div>
        <div className="card-body">
          <LatencyHistogram report={report} />
          <details>
            <summary>As a table</summary>
            <RowTable
              label="Calls by latency"
              head={['up to', 'calls']}
              rows={histogram.map(({ upTo, count }) => [
                formatLatency(upTo),
                count.toLocaleString('en'),
              ])}
            />
          </details>
        </div>
      </section>
      <section className="card" aria-label="Over time">
        <div className="card-head">Over time</div>
        <div className="card-body">
          <LatencySeries report={report} />
          <details>
            <summary>As a table</summary>
            <RowTable
              label="Calls by second"
              head={['second', 'calls', 'errors', 'p50', 'p99']}
              rows={series.map(({ second, calls, errors: bad, p50, p99 }) => [
                `${second}`,
                `${calls}`,
                `${bad}`,
                formatLatency(p50),
                formatLatency(p99),
              ])}
            />
          </details>
        </div>
      </section>
    </div>
  )
}

function Metric(props: {
  readonly name: string
  readonly value: string
  readonly isBad?: boolean
}): ReactElement {
  return (
    <div data-tone={props.isBad ? 'bad' : undefined}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}

function RowTable(props: {
  readonly label: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}): ReactElement {
  return (
    <DataTable label={props.label} columns={props.head}>
      {props.rows.map((cells, index) => (
        <tr key={index}>
          {cells.map((cell, column) => (
            <td key={column}>{cell}</td>
          ))}
        </tr>
      ))}
    </DataTable>
  )
}

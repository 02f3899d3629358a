import type { Palette } from '@parley/page/trace'
import { useMemo, type ReactElement } from 'react'
import uPlot from 'uplot'

import type { BenchReport } from '../../src/protocol/index.ts'
import { axisWidth } from './axis-width.ts'
import { formatLatency } from './latency.ts'
import { Plot, type PlotOptions } from './plot.tsx'

/** How many calls took how long. */
export function LatencyHistogram({ report }: { readonly report: BenchReport }): ReactElement {
  const { histogram } = report
  const data = useMemo<uPlot.AlignedData>(
    () => [histogram.map((_, index) => index), histogram.map(({ count }) => count)],
    [histogram],
  )
  const describe = (palette: Palette): PlotOptions => ({
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [-0.6, histogram.length - 0.4] } },
    axes: [
      {
        ...axis(palette),
        values: (_: uPlot, marks: number[]) =>
          marks.map((mark) => {
            const bar = Number.isInteger(mark) ? histogram[mark] : undefined
            return bar ? formatLatency(bar.upTo) : ''
          }),
      },
      { ...axis(palette), size: (_: uPlot, marks: string[] | null) => axisWidth(marks ?? []) },
    ],
    series: [
      {},
      {
        fill: palette.accent,
        stroke: palette.accent,
        ...bars(),
        points: { show: false },
      },
    ],
  })
  return (
    <Plot
      key={histogram.length}
      label={`Histogram of latency: half within ${formatLatency(report.latency.p50)}, 99 of 100 within ${formatLatency(report.latency.p99)}`}
      data={data}
      describe={describe}
    />
  )
}

/** Latency in each second of the load. */
export function LatencySeries({ report }: { readonly report: BenchReport }): ReactElement {
  const { series } = report
  const data = useMemo<uPlot.AlignedData>(
    () => [
      series.map(({ second }) => second),
      series.map(({ p50 }) => p50),
      series.map(({ p99 }) => p99),
    ],
    [series],
  )
  const describe = (palette: Palette): PlotOptions => ({
    cursor: { y: false },
    scales: { x: { time: false } },
    axes: [
      { ...axis(palette), values: (_: uPlot, marks: number[]) => marks.map((mark) => `${mark} s`) },
      {
        ...axis(palette),
        size: (_: uPlot, marks: string[] | null) => axisWidth(marks ?? []),
        values: (_: uPlot, marks: number[]) => marks.map((mark) => formatLatency(mark)),
      },
    ],
    series: [
      { label: 'second' },
      line('p50', palette.accent, []),
      line('p99', palette.bad, [6, 3]),
    ],
  })
  return (
    <Plot
      label="Latency of half and of 99 in 100 calls, over time"
      data={data}
      height={210}
      describe={describe}
    />
  )
}

function bars(): Pick<uPlot.Series, 'paths'> {
  const paths = uPlot.paths.bars?.({ size: [0.9, 60] })
  return paths ? { paths } : {}
}

function line(label: string, stroke: string, dash: number[]): uPlot.Series {
  return {
    label,
    stroke,
    dash,
    width: 1.6,
    points: { size: 5 },
    value: (_, ms) => (typeof ms === 'number' ? formatLatency(ms) : '–'),
  }
}

function axis(palette: Palette): uPlot.Axis {
  const thin = { stroke: palette.line, width: 1 }
  return { stroke: palette.quiet, font: '12px system-ui', grid: thin, ticks: thin }
}

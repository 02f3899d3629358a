import { formatTable } from './table.ts'

/** One bar. */
export interface Bar {
  /** The text before the bar. */
  readonly label: string
  /** How long the bar is, beside the others. */
  readonly value: number
  /** The text behind the bar. @defaultValue the value */
  readonly note?: string | undefined
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Bars below each other, the longest as wide as there is room. */
export function formatBars(bars: readonly Bar[], width: number): string {
  const most = Math.max(...bars.map(({ value }) => value), 0)
  const labelWidth = Math.max(0, ...bars.map(({ label }) => label.length))
  const noteWidth = Math.max(0, ...bars.map(({ value, note }) => (note ?? String(value)).length))
  const columns = Math.max(4, width - labelWidth - noteWidth - 4)
  const rows = bars.map(({ label, value, note }) => [
    label,
    barOf(most === 0 ? 0 : (value / most) * columns),
    note ?? String(value),
  ])
  return formatTable(rows, {
    width,
    columns: [
      { align: 'right', overflow: 'keep' },
      { overflow: 'keep' },
      { align: 'right', overflow: 'keep' },
    ],
  })
}

function barOf(length: number): string {
  const whole = Math.floor(length)
  const rest = eighths[Math.floor((length - whole) * 8)] ?? ''
  return '█'.repeat(whole) + rest
}

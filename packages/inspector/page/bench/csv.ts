import type { BenchReport } from '../../src/protocol/index.ts'

/** A report as a table of seconds, with the whole in the first lines. */
export function toCsv({
  plan,
  calls,
  unsent,
  perSecond,
  latency,
  errors,
  series,
}: BenchReport): string {
  const lines: (readonly (string | number)[])[] = [
    ['server', plan.server],
    ['tool', plan.tool],
    ['concurrency', plan.concurrency],
    ['rate', plan.rate ?? ''],
    ['calls', calls],
    ['due and never sent', unsent],
    ['calls per second', perSecond],
    ...Object.entries(latency).map(([name, ms]) => [`${name} ms`, ms]),
    ...Object.entries(errors).map(([code, count]) => [`error ${code}`, count]),
    [],
    ['second', 'calls', 'errors', 'p50 ms', 'p99 ms'],
    ...series.map((item) => [item.second, item.calls, item.errors, item.p50, item.p99]),
  ]
  return lines.map((cells) => cells.map(cellOf).join(',')).join('\r\n')
}

/** A text that a spreadsheet would run as a formula is kept a text. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

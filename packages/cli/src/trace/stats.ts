import { formatDuration } from '@parley/foundation/terminal'
import { formatShare, timeSpent, traceStatistics, type TimeSpent } from '@parley/foundation/trace'

import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { everyWho } from './path.ts'
import { readRecords } from './read.ts'

/** Counts requests by method, and measures their answers. */
export async function showStatistics(file: string, flags: CommonFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  const records = await readRecords(file, io, printer)
  const statistics = traceStatistics(records)
  const spent = timeSpent(records)
  if (printer.isJson) return printer.json({ methods: statistics, spent })
  const ms = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2))
  const right = { align: 'right', overflow: 'keep' } as const
  printer.table(
    statistics.map(({ connection, method, count, errors, unanswered, latency }) => [
      flat(connection),
      flat(method),
      String(count),
      String(errors),
      String(unanswered),
      ms(latency?.p50),
      ms(latency?.p95),
      ms(latency?.p99),
      ms(latency?.max),
    ]),
    [
      { title: 'server' },
      { title: 'method', overflow: 'keep' },
      { title: 'count', ...right },
      { title: 'errors', ...right },
      { title: 'open', ...right },
      { title: 'p50 ms', ...right },
      { title: 'p95', ...right },
      { title: 'p99', ...right },
      { title: 'max', ...right },
    ],
  )
  showSpent(spent, printer)
}

/** Whom calls waited for, in shares of their time; only where it was not the server alone. */
function showSpent(all: readonly TimeSpent[], printer: Printer): void {
  const shown = everyWho.filter((who) => all.some(({ timeSpent: spent }) => spent[who] > 0))
  if (shown.every((who) => who === 'server')) return
  printer.line()
  printer.line('Where the time of calls went:')
  printer.table(
    all.map(({ connection, method, durationMs, timeSpent: spent }) => [
      flat(connection),
      flat(method),
      formatDuration(durationMs),
      ...shown.map((who) => formatShare(durationMs === 0 ? 0 : spent[who] / durationMs)),
    ]),
    [
      { title: 'connection' },
      { title: 'method', overflow: 'keep' },
      { title: 'together', align: 'right', overflow: 'keep' },
      ...shown.map((who) => ({ title: who, align: 'right', overflow: 'keep' }) as const),
    ],
  )
}

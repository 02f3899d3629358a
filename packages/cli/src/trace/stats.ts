import { traceStatistics } from '@parley/foundation/trace'

import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { readRecords } from './read.ts'

/** Counts requests by method, and measures their answers. */
export async function showStatistics(file: string, flags: CommonFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  const statistics = traceStatistics(await readRecords(file, io, printer))
  if (printer.isJson) return printer.json({ methods: statistics })
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
}

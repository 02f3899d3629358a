import { exchangesOf, type Exchange } from './exchanges.ts'
import type { TraceRecord } from './record.ts'

/** How the requests of one method went. */
export interface MethodStatistics {
  /** The server. */
  readonly connection: string
  /** The method. */
  readonly method: string
  /** How many requests there were. */
  readonly count: number
  /** Answered by an error, or by a result that says it is one; a probe that an older server refuses is none. */
  readonly errors: number
  /** Not answered within the trace. */
  readonly unanswered: number
  /** Bytes of all requests. */
  readonly bytesOut: number
  /** Bytes of all answers. */
  readonly bytesIn: number
  /** Milliseconds of those that were answered, without probes and without what waited for a program to start; absent if none was. */
  readonly latency?: Percentiles | undefined
}

/** How times are spread, in milliseconds. */
export interface Percentiles {
  /** The shortest. */
  readonly min: number
  /** The average. */
  readonly mean: number
  /** The median. */
  readonly p50: number
  /** Nine of ten took at most this long. */
  readonly p90: number
  /** 95 of 100 took at most this long. */
  readonly p95: number
  /** 99 of 100 took at most this long. */
  readonly p99: number
  /** The longest. */
  readonly max: number
}

/** Requests by connection and method, the most frequent first. */
export function traceStatistics(records: Iterable<TraceRecord>): readonly MethodStatistics[] {
  const groups = new Map<string, Exchange[]>()
  for (const exchange of exchangesOf(records)) {
    const key = JSON.stringify([exchange.request.connection, exchange.method])
    const exchanges = groups.get(key)
    if (exchanges === undefined) groups.set(key, [exchange])
    else exchanges.push(exchange)
  }
  return [...groups.values()]
    .map((exchanges) => {
      const [first] = exchanges
      const counted = exchanges.filter(({ isProbe }) => !isProbe)
      const completed = counted.filter(({ durationMs }) => durationMs !== undefined)
      const times = completed.flatMap(({ durationMs = 0, isStart }) =>
        isStart ? [] : [durationMs],
      )
      return {
        connection: first?.request.connection ?? '',
        method: first?.method ?? '',
        count: exchanges.length,
        errors: counted.filter(({ error, isToolError }) => error !== undefined || isToolError)
          .length,
        unanswered: counted.length - completed.length,
        bytesOut: sum(exchanges.map(({ request }) => request.bytes ?? 0)),
        bytesIn: sum(exchanges.map(({ answer }) => answer?.bytes ?? 0)),
        ...(times.length > 0 && { latency: percentilesOf(times) }),
      }
    })
    .toSorted((a, b) => b.count - a.count)
}

/** Returns percentiles of at least one value. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).toSorted()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? 0
  return {
    min: at(0),
    mean: sum(values) / Math.max(1, values.length),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
  }
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}

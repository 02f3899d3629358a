import type { Client } from '@parley/mcp/client'

import type { BenchPlan, BenchReport } from '../protocol/index.ts'
import type { Emit, Handlers } from './handlers.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import { ProblemError, toRunError } from './problem.ts'
import type { ServerHold } from './server-hold.ts'
import type { Servers } from './servers.ts'

/** Loads on tools, one for each server at a time. */
export interface Bench {
  readonly handlers: Handlers<'bench/start' | 'bench/stop'>
  close(): void
}

export interface BenchParts {
  readonly emit: Emit
  readonly servers: Servers
  readonly mayCall: (hold: ServerHold, plan: BenchPlan) => Promise<void>
}

interface Load {
  readonly id: string
  readonly plan: BenchPlan
  readonly stop: AbortController
  readonly report: () => BenchReport
  readonly ended: Promise<BenchReport>
}

const mostKept = 20

export function createBench({ emit, servers, mayCall }: BenchParts): Bench {
  const loads = new Map<string, Load>()
  let count = 0

  function start(hold: ServerHold, client: Client, plan: BenchPlan): Load {
    const id = `bench-${(count += 1)}`
    const stop = new AbortController()
    const measured = createMeasured(id, plan)
    const ended = run(hold, client, plan, measured, stop.signal)
    const load: Load = { id, plan, stop, report: () => measured.report(false), ended }
    loads.set(id, load)
    for (const key of loads.keys()) if (loads.size > mostKept) loads.delete(key)
    return load
  }

  async function run(
    hold: ServerHold,
    client: Client,
    plan: BenchPlan,
    measured: Measured,
    stop: AbortSignal,
  ): Promise<BenchReport> {
    const timer = setInterval(() => emit('bench/report', measured.report(false)), 500)
    hold.tap.add({
      kind: 'decision',
      text: `load on ${plan.tool} begins; its messages are not recorded`,
    })
    hold.isQuiet = true
    const over = AbortSignal.any([stop, AbortSignal.timeout(plan.durationMs)])
    try {
      await (plan.rate === undefined
        ? closedLoop(client, plan, measured, over)
        : openLoop(client, plan, plan.rate, measured, over))
    } finally {
      clearInterval(timer)
      hold.isQuiet = false
    }
    const report = measured.report(true)
    hold.tap.add({
      kind: 'decision',
      text: `load on ${plan.tool} ends: ${report.calls} calls, p99 ${report.latency.p99.toFixed(1)} ms`,
    })
    emit('bench/report', report)
    return report
  }

  return {
    close() {
      for (const { stop } of loads.values()) stop.abort()
    },
    handlers: {
      async 'bench/start'(plan) {
        const hold = servers.find(plan.server)
        const client = servers.client(plan.server)
        await mayCall(hold, plan)
        if (hold.isQuiet) {
          throw new ProblemError('bench_running', `${plan.server} is under load already`, {
            hint: 'Stop that one first.',
          })
        }
        return { id: start(hold, client, plan).id }
      },
      async 'bench/stop'({ id }) {
        const load = loads.get(id)
        if (load === undefined) throw new ProblemError('unknown_bench', `there is no load ${id}`)
        load.stop.abort()
        return load.ended
      },
    },
  }
}

/** Each caller waits for its answer before it asks again. */
async function closedLoop(
  client: Client,
  plan: BenchPlan,
  measured: Measured,
  over: AbortSignal,
): Promise<void> {
  async function caller(): Promise<void> {
    while (!over.aborted) await call(client, plan, measured, performance.now(), over)
  }
  await Promise.all(Array.from({ length: plan.concurrency }, caller))
}

/**
 * Calls are due at a steady rate. What cannot be sent yet because too many are under way waits, and its latency counts
 * from when it was due: a server that stalls does not hide the calls it kept from being made.
 */
async function openLoop(
  client: Client,
  plan: BenchPlan,
  rate: number,
  measured: Measured,
  over: AbortSignal,
): Promise<void> {
  const start = performance.now()
  const waiting: number[] = []
  const running = new Set<Promise<void>>()
  let due = 0

  function fill(): void {
    while (running.size < plan.concurrency && waiting.length > 0 && !over.aborted) {
      const at = waiting.shift() ?? 0
      const one = call(client, plan, measured, at, over).finally(() => {
        running.delete(one)
        fill()
      })
      running.add(one)
    }
  }

  while (!over.aborted) {
    const elapsed = performance.now() - start
    for (; due <= (elapsed * rate) / 1000; due += 1) waiting.push(start + (due * 1000) / rate)
    fill()
    const next = start + (due * 1000) / rate - performance.now()
    await new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, Math.min(next, 50))))
  }
  await Promise.all(running)
  // What was due and never sent waited at least until now.
  for (const at of waiting) measured.add(performance.now() - at, 'not_sent')
}

async function call(
  client: Client,
  { tool, args }: BenchPlan,
  measured: Measured,
  since: number,
  over: AbortSignal,
): Promise<void> {
  try {
    const { isError } = await client.callTool(tool, { ...args }, { signal: over, fresh: true })
    measured.add(performance.now() - since, isError ? 'tool_error' : undefined)
  } catch (error) {
    if (over.aborted) return // cut off by the end of the load, not by the server
    measured.add(performance.now() - since, toRunError(error).code)
    // A connection that is gone would otherwise be asked as fast as this machine can.
    await new Promise<void>((resolve) => setTimeout(resolve, 10))
  }
}

interface Measured {
  add(ms: number, error: string | undefined): void
  report(done: boolean): BenchReport
}

interface Second {
  readonly histogram: Histogram
  errors: number
}

function createMeasured(id: string, plan: BenchPlan): Measured {
  const start = performance.now()
  const all = createHistogram()
  const errors: { [code: string]: number } = {}
  const seconds: Second[] = []
  let endedMs: number | undefined

  return {
    add(ms, error) {
      all.add(ms)
      const index = Math.floor((performance.now() - start) / 1000)
      while (seconds.length <= index) seconds.push({ histogram: createHistogram(), errors: 0 })
      const second = seconds[index]
      second?.histogram.add(ms)
      if (error === undefined) return
      errors[error] = (errors[error] ?? 0) + 1
      if (second) second.errors += 1
    },
    report(done) {
      const elapsedMs = endedMs ?? performance.now() - start
      if (done) endedMs = elapsedMs
      return {
        id,
        plan,
        elapsedMs,
        done,
        calls: all.count,
        errors: { ...errors },
        perSecond: elapsedMs > 0 ? (all.count * 1000) / elapsedMs : 0,
        latency: all.latency(),
        histogram: all.buckets(),
        series: seconds.map(({ histogram, errors: failed }, second) => ({
          second,
          calls: histogram.count,
          errors: failed,
          p50: histogram.at(0.5),
          p99: histogram.at(0.99),
        })),
      }
    },
  }
}

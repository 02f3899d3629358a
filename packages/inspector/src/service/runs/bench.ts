import { runLoad } from '@parley/foundation/load'
import type { Client } from '@parley/mcp/client'

import type { BenchPlan, BenchReport } from '../../protocol/index.ts'
import type { Emit, Handlers } from '../handlers.ts'
import { ProblemError, toRunError } from '../problem.ts'
import type { ServerRecord } from '../servers/server-hold.ts'
import type { Servers } from '../servers/servers.ts'
import { createMeasured, type Measured } from './measured.ts'

/** Loads on tools, one for each server at a time. */
export interface Bench {
  readonly handlers: Handlers<'bench/start' | 'bench/stop'>
  close(): void
}

export interface BenchContext {
  readonly emit: Emit
  readonly servers: Servers
  readonly mayCall: (record: ServerRecord, plan: BenchPlan) => Promise<void>
}

interface Load {
  readonly id: string
  readonly plan: BenchPlan
  readonly stop: AbortController
  readonly report: () => BenchReport
  readonly ended: Promise<BenchReport>
}

const maxStored = 20

export function createBench({ emit, servers, mayCall }: BenchContext): Bench {
  const loads = new Map<string, Load>()
  let count = 0

  function start(record: ServerRecord, client: Client, plan: BenchPlan): Load {
    const id = `bench-${(count += 1)}`
    const stop = new AbortController()
    const measured = createMeasured(id, plan)
    const ended = run(record, client, plan, measured, stop.signal)
    const load: Load = { id, plan, stop, report: () => measured.report(false), ended }
    ended.catch(() => undefined) // told to whoever stops it
    loads.set(id, load)
    for (const key of loads.keys()) if (loads.size > maxStored) loads.delete(key)
    return load
  }

  async function run(
    record: ServerRecord,
    client: Client,
    plan: BenchPlan,
    measured: Measured,
    stop: AbortSignal,
  ): Promise<BenchReport> {
    const timer = setInterval(() => emit('bench/report', measured.report(false)), 500)
    record.tap.add({
      kind: 'decision',
      text: `load on ${plan.tool} begins; its messages are not recorded`,
    })
    record.isQuiet = true
    const { tool, args } = plan
    const call = async (signal: AbortSignal) => {
      try {
        const { isError } = await client.callTool(tool, { ...args }, { signal, fresh: true })
        return isError ? 'tool_error' : undefined
      } catch (error) {
        return toRunError(error).code
      }
    }
    try {
      await runLoad(call, { ...plan, signal: stop }, measured)
    } finally {
      clearInterval(timer)
      record.isQuiet = false
    }
    const report = measured.report(true)
    record.tap.add({
      kind: 'decision',
      text: `load on ${plan.tool} ends: ${report.calls} calls, ${report.unsent} due and never sent, p99 ${report.latency.p99.toFixed(1)} ms`,
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
        const record = servers.find(plan.server)
        const client = servers.client(plan.server)
        await mayCall(record, plan)
        if (record.isQuiet) {
          throw new ProblemError(
            'bench_running',
            `a load test of ${plan.server} is already running`,
            {
              hint: 'Stop that one first.',
            },
          )
        }
        return { id: start(record, client, plan).id }
      },
      async 'bench/stop'({ id }) {
        const load = loads.get(id)
        if (load === undefined) throw new ProblemError('unknown_bench', `unknown load test ${id}`)
        load.stop.abort()
        return load.ended
      },
    },
  }
}

import type { Client } from '@parley/mcp/client'

import type { BenchPlan } from '../../protocol/index.ts'
import { toRunError } from '../problem.ts'
import type { Measured } from './measured.ts'

/** Each caller waits for its answer before it asks again. */
export async function closedLoop(
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
export async function openLoop(
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
  for (const at of waiting) measured.addUnsent(performance.now() - at)
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

/** The load of `parley bench` and of the Inspector: one engine, so that both give the same figures for the same server. */

import { anySignal } from '@parley/mcp/signals'

/** How something is called. */
export interface LoadPlan {
  /** How many calls wait for an answer at once; with a rate, at most. */
  readonly concurrency: number
  /** For how long calls are sent. */
  readonly durationMs: number
  /** Calls a second, due whether or not earlier ones were answered. @defaultValue each caller waits for its answer */
  readonly rate?: number | undefined
  /** Ends it early. */
  readonly signal: AbortSignal
}

/** Where measurements go. */
export interface LoadSink {
  /** A call was answered, or failed with this code, so long after it was due. */
  add(ms: number, error: string | undefined): void
  /** A call was due for so long and never sent: latency shows it, the rate does not. */
  addUnsent(ms: number): void
}

/** The time for calls in progress at the end: leaving them out would hide the slowest. */
const graceMs = 5_000
/** A connection that is gone would otherwise be asked as fast as this machine can. */
const pauseMs = 10

/** Calls until the time is over. The call resolves with the code of its error. */
export async function runLoad(
  call: (signal: AbortSignal) => Promise<string | undefined>,
  { concurrency, durationMs, rate, signal }: LoadPlan,
  sink: LoadSink,
): Promise<void> {
  const start = performance.now()
  const end = start + durationMs
  const grace = new AbortController()
  const cutOff = anySignal(signal, grace.signal)
  const timer = setTimeout(() => grace.abort(), durationMs + graceMs)
  const isOver = () => performance.now() >= end || signal.aborted

  async function once(dueAt: number): Promise<void> {
    const from = Math.min(dueAt, performance.now()) // what was sent a little early did not take less than nothing
    const error = await call(cutOff)
    if (cutOff.aborted) return // it was not the server that ended it
    sink.add(performance.now() - from, error)
    if (error !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }

  async function caller(): Promise<void> {
    while (!isOver()) await once(performance.now())
  }

  /** Sends at a fixed rate; a call that has to wait counts its latency from when it was due. */
  async function openLoop(perSecond: number): Promise<void> {
    const waiting: number[] = []
    const running = new Set<Promise<void>>()
    let due = 0

    function fill(): void {
      while (running.size < concurrency && waiting.length > 0 && !isOver()) {
        const run = once(waiting.shift() ?? 0).finally(() => {
          running.delete(run)
          fill()
        })
        running.add(run)
      }
    }

    while (!isOver()) {
      const elapsed = performance.now() - start
      for (; due <= (elapsed * perSecond) / 1_000; due += 1) {
        waiting.push(start + (due * 1_000) / perSecond)
      }
      fill()
      const next = start + (due * 1_000) / perSecond - performance.now()
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(next, 50))))
    }
    await Promise.all(running)
    // Calls that were due and never sent waited at least until the end.
    if (!signal.aborted) for (const at of waiting) sink.addUnsent(end - at)
  }

  try {
    if (rate !== undefined) await openLoop(rate)
    else await Promise.all(Array.from({ length: concurrency }, caller))
  } finally {
    clearTimeout(timer)
  }
}

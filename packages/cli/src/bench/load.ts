/** A load on something that can be called. */
export interface LoadPlan {
  /** How many wait for an answer at once; with a rate, at most. */
  readonly concurrency: number
  readonly durationMs: number
  /** Calls a second, sent whether or not earlier ones were answered. */
  readonly rate?: number | undefined
  readonly signal: AbortSignal
}

/** One call: how long it took, and the name of its error. */
export interface Sample {
  readonly ms: number
  readonly error?: string | undefined
}

/** What a load measured. */
export interface LoadResult {
  readonly samples: readonly Sample[]
  readonly elapsedMs: number
  /** Calls that were due and could not be sent, since too many waited. */
  readonly dropped: number
}

/**
 * Closed loop: each caller waits for its answer before it calls again. Open loop, with a rate: calls are sent when they
 * are due, and their time counts from then, so that a server that stalls does not hide how long others had to wait.
 */
export async function runLoad(
  call: (signal: AbortSignal) => Promise<string | undefined>,
  plan: LoadPlan,
): Promise<LoadResult> {
  const samples: Sample[] = []
  const start = performance.now()
  const end = start + plan.durationMs

  async function once(dueAt: number): Promise<void> {
    const from = Math.min(dueAt, performance.now()) // what was sent a little early did not take less than nothing
    const error = await call(plan.signal)
    if (plan.signal.aborted) return // it was not the server that ended it
    samples.push({ ms: performance.now() - from, error })
  }

  const dropped =
    plan.rate === undefined
      ? await closedLoop(once, end, plan)
      : await openLoop(once, end, { ...plan, rate: plan.rate })
  return { samples, elapsedMs: performance.now() - start, dropped }
}

async function closedLoop(
  once: (dueAt: number) => Promise<void>,
  end: number,
  { concurrency, signal }: LoadPlan,
): Promise<number> {
  const caller = async () => {
    while (performance.now() < end && !signal.aborted) await once(performance.now())
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  return 0
}

async function openLoop(
  once: (dueAt: number) => Promise<void>,
  end: number,
  { rate, concurrency, signal }: LoadPlan & { readonly rate: number },
): Promise<number> {
  const pause = 1_000 / rate
  const inFlight = new Set<Promise<void>>()
  let dropped = 0
  for (let dueAt = performance.now(); dueAt < end && !signal.aborted; dueAt += pause) {
    const early = dueAt - performance.now()
    // A timer is only as exact as a millisecond; what is due within one is sent now.
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    if (inFlight.size >= concurrency) {
      dropped += 1
      if (early <= 1) await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    const running = once(dueAt).finally(() => inFlight.delete(running))
    inFlight.add(running)
  }
  await Promise.all(inFlight)
  return dropped
}

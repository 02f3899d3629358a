/** Places for calls that run at the same time. */
export interface CallSlots {
  /** Runs the work when there is a place, unless the signal is aborted before. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export function createCallSlots(count: number): CallSlots {
  let free = count
  const waiting: (() => void)[] = []

  return {
    async run(work, signal) {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free -= 1
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}

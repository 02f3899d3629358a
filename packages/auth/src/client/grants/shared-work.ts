/** Work that several callers wait for. It is given up when the last of them is. */
export interface SharedWork<T> {
  join(signal: AbortSignal): Promise<T>
  /** When it is over, well or not; waiting for that keeps nothing alive. */
  readonly done: Promise<void>
}

/** Starts work for whoever joins. */
export function startSharedWork<T>(work: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  const controller = new AbortController()
  const result = work(controller.signal)
  const done = result.then(
    () => {},
    () => {}, // those who joined are told
  )
  let waiting = 0

  return {
    done,
    async join(signal) {
      signal.throwIfAborted()
      waiting += 1
      let onAbort = () => {}
      const left = new Promise<never>((_, reject) => {
        onAbort = () => reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
      })
      try {
        return await Promise.race([result, left])
      } finally {
        signal.removeEventListener('abort', onAbort)
        waiting -= 1
        if (waiting === 0 && signal.aborted) controller.abort(signal.reason)
      }
    },
  }
}

import { unlessAborted } from '@parley/mcp/signals'

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
      try {
        return await unlessAborted(result, signal)
      } finally {
        waiting -= 1
        if (waiting === 0 && signal.aborted) controller.abort(signal.reason)
      }
    },
  }
}

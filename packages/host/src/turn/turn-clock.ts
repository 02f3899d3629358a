/** The time a turn may take. It stands still while a person is asked. */
export interface TurnClock extends Disposable {
  /** Runs the work with the clock stopped. */
  paused<T>(work: () => Promise<T>): Promise<T>
}

export function startTurnClock(ms: number, onTimeUp: () => void): TurnClock {
  let leftMs = ms
  let since = performance.now()
  let pauses = 0
  let timer = start()

  function start() {
    since = performance.now()
    const delay = Math.min(leftMs, 2_147_483_647)
    return Number.isFinite(leftMs) ? setTimeout(onTimeUp, delay) : undefined
  }

  return {
    async paused(work) {
      pauses += 1
      if (pauses === 1) {
        clearTimeout(timer)
        leftMs -= performance.now() - since
      }
      try {
        return await work()
      } finally {
        pauses -= 1
        if (pauses === 0) timer = start()
      }
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      pauses += 1 // nothing starts it again
    },
  }
}

/** Events between a turn and who reads them. */
export interface EventQueue<Event> extends AsyncIterable<Event> {
  put(event: Event): void
  /** Resolves when few enough wait to be read, so that a slow reader slows the source. */
  capacity(): Promise<void>
  end(): void
}

const maxWaiting = 256

/** Read once. `onLeave` is called when the reader goes before the end. */
export function createEventQueue<Event>(onLeave: () => void): EventQueue<Event> {
  let waiting: Event[] = []
  let isEnded = false
  let wake: (() => void) | undefined
  let roomy: (() => void)[] = []

  function released(): void {
    const waiters = roomy
    roomy = []
    for (const go of waiters) go()
  }

  async function* read(): AsyncGenerator<Event> {
    try {
      for (;;) {
        const batch = waiting
        waiting = []
        released()
        yield* batch
        if (waiting.length > 0) continue
        if (isEnded) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      if (!isEnded) onLeave()
      isEnded = true
      released()
    }
  }

  return {
    put(event) {
      if (isEnded) return
      waiting.push(event)
      wake?.()
    },
    async capacity() {
      if (waiting.length >= maxWaiting && !isEnded) {
        await new Promise<void>((resolve) => roomy.push(resolve))
      }
    },
    end() {
      isEnded = true
      wake?.()
      released()
    },
    [Symbol.asyncIterator]: read,
  }
}

import type { Clock } from '../../../rpc/time/clock.ts'

/** Calls back after every `ms` without anything sent, never for `Infinity`. */
export interface KeepAlive extends Disposable {
  /** Something was sent. */
  touch(): void
}

export function createKeepAlive(clock: Clock, ms: number, onIdle: () => void): KeepAlive {
  let lastAt = clock.now()
  let timer: Disposable | undefined
  if (ms < Infinity) wait(ms)

  function wait(restMs: number): void {
    timer = clock.setTimer(() => {
      const idleMs = clock.now() - lastAt
      if (idleMs < ms) return wait(ms - idleMs)
      lastAt = clock.now()
      wait(ms)
      onIdle()
    }, restMs)
  }

  return {
    touch() {
      lastAt = clock.now()
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  }
}

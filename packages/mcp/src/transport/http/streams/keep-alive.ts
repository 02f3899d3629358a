import type { Clock } from '../../../rpc/time/clock.ts'

/** Calls back after every `ms` of silence, never for `Infinity`; what is in use needs no sign of life. */
export interface SilenceWatch extends Disposable {
  /** Something was sent. */
  touch(): void
}

export function watchSilence(clock: Clock, ms: number, onSilence: () => void): SilenceWatch {
  let lastAt = clock.now()
  let timer: Disposable | undefined
  if (ms < Infinity) wait(ms)

  function wait(restMs: number): void {
    timer = clock.setTimer(() => {
      const silentMs = clock.now() - lastAt
      if (silentMs < ms) return wait(ms - silentMs)
      lastAt = clock.now()
      wait(ms)
      onSilence()
    }, restMs)
  }

  return {
    touch() {
      lastAt = clock.now()
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  }
}

import type { Clock } from '../../../rpc/clock.ts'

/** Notices that a stream has gone dead: a network may forget a connection without telling either side. */
export interface IdleWatch {
  /** Bytes came. */
  received(): void
  /** Among them one of those that only say that the server is there. */
  comment(): void
  /** Nothing is read until then, which is no silence. */
  hold(until: Promise<void>): void
  end(): void
}

/**
 * Gives a stream up after four times its longest pause, and not before a minute. Only where the server comments now and
 * then: others may have nothing to say for days. A comment to begin with is no such promise.
 */
export function watchSilence(clock: Clock, giveUp: () => void): IdleWatch {
  let receivedAt = clock.now()
  let maxMs = 0
  let chunks = 0
  let pauses = 0
  let timer: Disposable | undefined

  function check(): void {
    const limitMs = Math.max(minMs, 4 * maxMs)
    const leftMs = pauses > 0 ? limitMs : receivedAt + limitMs - clock.now()
    if (leftMs <= 0) return giveUp()
    timer = clock.setTimer(check, leftMs)
  }

  return {
    received() {
      chunks += 1
      const now = clock.now()
      maxMs = Math.max(maxMs, now - receivedAt)
      receivedAt = now
    },
    comment() {
      if (chunks > 1 && timer === undefined) check()
    },
    hold(until) {
      pauses += 1
      void until.then(() => {
        pauses -= 1
        receivedAt = clock.now()
      })
    },
    end() {
      timer?.[Symbol.dispose]()
    },
  }
}

const minMs = 60_000

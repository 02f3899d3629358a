import { holdProcess } from '../../client/connection/hold-process.ts'
import { type Listed } from '../../rpc/short-lived.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { Outgoing } from './outgoing.ts'

/** One message on its way, from the moment it is given to us until its answer is complete. */
export interface Posting extends Listed {
  readonly outgoing: Outgoing
  /** Waits before its first byte has gone out. */
  isUnsent: boolean
  /** The head of an answer has come. */
  hasHead: boolean
  readonly isAbandoned: boolean
  /** Settles with it, once it has begun. */
  done: Promise<void> | undefined
  /** Ends what the posting waits for just now. */
  stop: (() => void) | undefined
  /** Nobody wants the answer any more. */
  abandon(): void
  /** Returns early if abandoned. */
  sleep(ms: number): Promise<void>
}

export function createPosting(outgoing: Outgoing, clock: Clock): Posting {
  const posting = {
    place: -1,
    outgoing,
    done: undefined as Promise<void> | undefined,
    isUnsent: true,
    hasHead: false,
    isAbandoned: false,
    stop: undefined as (() => void) | undefined,
    abandon() {
      posting.isAbandoned = true
      posting.stop?.()
    },
    async sleep(ms: number) {
      if (posting.isAbandoned) return
      const slept = new Promise<void>((resolve) => {
        const timer = clock.setTimer(resolve, ms)
        posting.stop = () => {
          timer[Symbol.dispose]()
          resolve()
        }
      })
      await holdProcess(slept)
      posting.stop = undefined
    },
  }
  return posting
}

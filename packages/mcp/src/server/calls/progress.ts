import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { createTokenBucket } from '../../rpc/rate.ts'
import type { Progress, ProgressToken } from '../../schema/progress.ts'
import { sendNotification } from '../notifications.ts'
import type { Caller } from './caller.ts'

/** Sends the progress of one call: only rising values, and no faster than the client reads or a person can follow. */
export interface ProgressReporter {
  /** Resolves when there is room to send more. */
  report(progress: Progress): Promise<void>
  /** Sends the waiting value now. */
  flush(): void
  /**
   * Sends the waiting value, and nothing after it. Returns a promise if the answer would follow so closely that both arrive
   * in one piece: some clients handle notifications a moment later, and drop progress of a call that has been answered.
   */
  resolve(): Promise<void> | undefined
  /** Drops the waiting value. */
  stop(): void
}

/** Time for a peer to read progress before it reads the answer, also when its machine is busy. */
const apartMs = 5

/** A burst passes as it is; a tight loop does not flood the peer, and its newest value always arrives. */
const rate = { burst: 100, perSecond: 100 }

export function createProgressReporter(
  caller: Pick<Caller, 'clock' | 'onError' | 'drained' | 'notify'>,
  token: ProgressToken,
  operation: string,
): ProgressReporter {
  const bucket = createTokenBucket(caller.clock, rate)
  let highest = -Infinity
  let waiting: Progress | undefined
  let timer: Disposable | undefined
  let hasReported = false
  let sentAt = -Infinity
  let isOver = false

  function send({ total, ...progress }: Progress): void {
    // JSON has no Infinity: such a total counts as unknown.
    const finiteTotal = total !== undefined && Number.isFinite(total) && { total }
    const params = { progressToken: token, ...progress, ...finiteTotal }
    sendNotification(caller, 'notifications/progress', params)
    sentAt = performance.now()
  }

  function flush(): void {
    timer?.[Symbol.dispose]()
    timer = undefined
    if (waiting === undefined) return
    send(waiting)
    waiting = undefined
  }

  /** The same as `flush`, but no faster than the rate; meanwhile only the newest waits. */
  function release(): void {
    if (waiting === undefined || timer !== undefined) return
    if (bucket.take()) flush()
    else timer = caller.clock.setTimer(releaseLate, Math.ceil(bucket.waitMs))
  }

  function releaseLate(): void {
    timer = undefined
    release()
  }

  function reject(progress: Progress): void {
    if (hasReported) return
    hasReported = true
    const why = `progress must rise: ${progress.progress} after ${highest} was not sent`
    caller.onError(new RpcError('invalid_params', why), { severity: 'warning', operation })
  }

  return {
    report(progress) {
      if (isOver) return done // its work is done, and the answer is about to go out
      if (!(progress.progress > highest) || progress.progress === Infinity) {
        reject(progress)
        return done
      }
      highest = progress.progress
      waiting = progress
      const { drained } = caller
      if (drained !== undefined) return drained.then(release)
      release()
      return done
    },
    flush,
    resolve() {
      flush()
      isOver = true
      const leftMs = apartMs - (performance.now() - sentAt)
      // Keeps the process alive, unlike the timers of a clock: the answer has to go out.
      return leftMs > 0 ? new Promise((resolve) => void setTimeout(resolve, leftMs)) : undefined
    },
    stop() {
      waiting = undefined
      timer?.[Symbol.dispose]()
      timer = undefined
    },
  }
}

const done = Promise.resolve()

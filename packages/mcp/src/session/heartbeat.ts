import type { Clock } from '../rpc/clock.ts'

/** How often to ask whether the peer still lives. */
export interface HeartbeatOptions {
  /** Between one answer and the next question. */
  readonly everyMs: number
  /** How long to wait for an answer. @defaultValue 10_000 */
  readonly timeoutMs?: number | undefined
  /** Unanswered in a row before the connection counts as broken. @defaultValue 2 */
  readonly failures?: number | undefined
}

/** Pings at an interval; calls `onDead` once when the peer no longer answers. */
export function startHeartbeat(
  clock: Clock,
  { everyMs, timeoutMs = 10_000, failures = 2 }: HeartbeatOptions,
  ping: (timeoutMs: number) => Promise<unknown>,
  onFailure: (error: unknown, isDead: boolean) => void,
): Disposable {
  let failed = 0
  let timer: Disposable | undefined = clock.setTimer(beat, everyMs)

  function beat(): void {
    ping(timeoutMs).then(
      () => {
        failed = 0
        schedule()
      },
      (error: unknown) => {
        if (timer === undefined) return
        failed += 1
        onFailure(error, failed >= failures)
        if (failed < failures) schedule()
      },
    )
  }

  function schedule(): void {
    if (timer !== undefined) timer = clock.setTimer(beat, everyMs)
  }

  return {
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
      timer = undefined
    },
  }
}

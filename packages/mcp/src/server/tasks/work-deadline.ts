import type { Clock } from '../../rpc/time/clock.ts'

/** Watches over the time that work has, which no request keeps for it. */
export interface WorkDeadline extends Disposable {
  /** Looks again by then. */
  keep(dueAt: number): void
}

export function createWorkDeadline(
  clock: Clock,
  dueAt: () => number,
  onDue: () => void,
): WorkDeadline {
  let timer: Disposable | undefined

  function keep(at: number): void {
    timer?.[Symbol.dispose]()
    timer = clock.setTimer(check, at - clock.now())
  }

  /** It may have been put off since, or stand still. */
  function check(): void {
    const due = dueAt()
    if (due <= clock.now()) onDue()
    else if (due !== Infinity) keep(due)
  }

  return { keep, [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}

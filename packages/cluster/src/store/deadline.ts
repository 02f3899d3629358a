import { withTimeout } from '@parley/mcp/signals'

import { StoreUnavailable } from './cluster-store.ts'

/** Refuses what cannot be a deadline. */
export function checkTimeout(timeoutMs: number): void {
  if (timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1) return
  throw new Error(`timeoutMs ${timeoutMs} is out of range: use 1 to 2147483647 milliseconds`)
}

/** The same answer, or `StoreUnavailable` if it has not come after `ms`. */
export function withDeadline<Answer>(
  answer: Promise<Answer>,
  ms: number,
  engine: string,
): Promise<Answer> {
  return withTimeout(
    ms,
    answer,
    () => new StoreUnavailable(`${engine} did not answer within ${ms} ms`),
  )
}

/** Lets a process end although a timer waits. Runtimes whose timers are numbers have no process to keep. */
export function letExit(timer: NodeJS.Timeout): void {
  if (typeof timer === 'object') timer.unref()
}

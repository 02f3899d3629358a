import type { Clock } from './clock.ts'

/** Waits until something is done, or for so long; which of the two it was makes no difference. */
export async function waitAtMost(ms: number, done: Promise<unknown>, clock: Clock): Promise<void> {
  let timer: Disposable | undefined
  const late = new Promise<void>((resolve) => {
    timer = clock.setTimer(resolve, ms)
  })
  await Promise.race([late, done])
  timer?.[Symbol.dispose]()
}

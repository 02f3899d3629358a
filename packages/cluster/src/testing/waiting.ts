import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for every test, short enough to wait for. */
export const longMs = 60_000
/** The time to live of values that expire in a test. */
export const shortMs = 60

/** Waits until `look` returns something true. */
export async function eventually(
  poll: () => Promise<boolean> | boolean,
  what: string,
): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await poll())) {
    if (Date.now() > end) throw new Error(`did not happen within 20 s: ${what}`)
    await sleep(10)
  }
}

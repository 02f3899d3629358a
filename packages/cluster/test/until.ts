import { setTimeout as sleep } from 'node:timers/promises'

/** The first value that is not false or undefined. */
export async function until<Value>(
  look: () => Promise<Value | false | undefined> | Value | false | undefined,
): Promise<Value> {
  for (;;) {
    const value = await look()
    if (value !== false && value !== undefined) return value
    await sleep(20)
  }
}

/** Runs work of one key in turn, and of different keys at once. */
export function createKeyedQueue(): <Result>(
  key: string,
  work: () => Promise<Result>,
) => Promise<Result> {
  const tails = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = tails.get(key)
    const done = (async () => {
      await before?.catch(() => undefined) // told to who asked for it
      return work()
    })()
    tails.set(key, done)
    try {
      return await done
    } finally {
      if (tails.get(key) === done) tails.delete(key)
    }
  }
}

/** Runs work once per key; later calls get the same result. */
export type Once = <T>(key: string, work: () => T | Promise<T>) => Promise<T>

/** Results by key; one without `value` is `undefined`, which JSON does not have. */
export interface OnceResults {
  readonly [key: string]: { readonly value?: unknown }
}

/** The memory of one call. */
export interface OnceMemory {
  readonly once: Once
  /**
   * The results so far; waits for work under way, so that it is not done again. After that nothing new is started, because
   * nobody would remember it: `once` rejects with the reason.
   */
  close(reason: unknown): Promise<OnceResults>
}

/**
 * Results must survive JSON, because in some revisions they travel to the client and back; checking that always keeps a
 * handler from working in one revision only. A throw is not remembered.
 */
export function createOnceMemory(existing: OnceResults = {}): OnceMemory {
  const results = new Map<string, Promise<unknown>>()
  const done = new Map<string, { readonly value?: unknown }>(Object.entries(existing))
  for (const [key, { value }] of done) results.set(key, Promise.resolve(value))
  let underWay = 0
  let closed: Promise<never> | undefined

  return {
    once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
      const before = results.get(key)
      if (before !== undefined) return before as Promise<T> // the same key is the same work
      if (closed !== undefined) return closed
      const result = run(key, work)
      results.set(key, result)
      underWay += 1
      result.then(
        (value) => {
          underWay -= 1
          done.set(key, { value })
        },
        () => {
          underWay -= 1
          results.delete(key)
        },
      )
      return result
    },
    async close(reason) {
      // Work can start more work.
      while (underWay > 0) await Promise.allSettled(results.values())
      closed = Promise.reject(reason)
      closed.catch(() => undefined) // nobody may await it
      return Object.fromEntries(done)
    },
  }
}

async function run<T>(key: string, work: () => T | Promise<T>): Promise<T> {
  const value = await work()
  if (!survivesJson(value)) {
    throw new TypeError(
      `the result of once(${JSON.stringify(key)}) does not survive JSON: return plain values`,
    )
  }
  return value
}

function survivesJson(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) {
    // A hole, or undefined, would come back as null.
    return Array.from(value).every((item) => item !== undefined && survivesJson(item))
  }
  return typeof value === 'object' && isPlain(value) && Object.values(value).every(survivesJson)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

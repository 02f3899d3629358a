/** Runs work once per key and gives its result again afterwards. */
export type Once = <T>(key: string, work: () => T | Promise<T>) => Promise<T>

/** Results by key; one without a value is `undefined`, which JSON has no word for. */
export interface OnceResults {
  readonly [key: string]: { readonly value?: unknown }
}

/** The memory of one call. */
export interface OnceMemory {
  readonly once: Once
  /**
   * What has been done; waits for work under way, so that it is not done again. From then on nothing new is begun, because
   * nobody would remember it: it rejects with the reason.
   */
  close(reason: unknown): Promise<OnceResults>
}

/**
 * Results must survive JSON, because in some revisions they travel to the client and back; checking that always keeps a
 * handler from working in one revision only. A throw is not remembered.
 */
export function createOnceMemory(known: OnceResults = {}): OnceMemory {
  const results = new Map<string, Promise<unknown>>()
  const done = new Map<string, { readonly value?: unknown }>(Object.entries(known))
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
      // What is done may begin more.
      while (underWay > 0) await Promise.allSettled(results.values())
      closed = Promise.reject(reason)
      closed.catch(() => undefined) // there may be nobody who wants more
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
    // A hole, or nothing, would come back as null.
    return Array.from(value).every((item) => item !== undefined && survivesJson(item))
  }
  return typeof value === 'object' && isPlain(value) && Object.values(value).every(survivesJson)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

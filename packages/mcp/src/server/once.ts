/** Runs work once per key and gives its result again afterwards. */
export type Once = <T>(key: string, work: () => T | Promise<T>) => Promise<T>

/** Results by key; one without a value is `undefined`, which JSON has no word for. */
export interface OnceResults {
  readonly [key: string]: { readonly value?: unknown }
}

/** The memory of one call. */
export interface OnceMemory {
  readonly once: Once
  /** What has been done so far; waits for work under way, so that it is not done again. */
  results(): Promise<OnceResults>
}

/**
 * Results must survive JSON, because in some revisions they travel to the client and back; checking that always keeps a
 * handler from working in one revision only. A throw is not remembered.
 */
export function createOnceMemory(known: OnceResults = {}): OnceMemory {
  const results = new Map<string, Promise<unknown>>()
  const done = new Map<string, { readonly value?: unknown }>(Object.entries(known))
  for (const [key, { value }] of done) results.set(key, Promise.resolve(value))

  return {
    once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
      const before = results.get(key)
      if (before !== undefined) return before as Promise<T> // the same key is the same work
      const result = run(key, work)
      results.set(key, result)
      result.then(
        (value) => done.set(key, { value }),
        () => results.delete(key),
      )
      return result
    },
    async results() {
      await Promise.allSettled(results.values())
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
  if (Array.isArray(value)) return value.every(survivesJson)
  return typeof value === 'object' && isPlain(value) && Object.values(value).every(survivesJson)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

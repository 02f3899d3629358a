/** Runs work once per key and gives its result again afterwards. */
export type Once = <T>(key: string, work: () => T | Promise<T>) => Promise<T>

/**
 * The memory of one call. Results must survive JSON, because in some revisions they travel to the client and back;
 * checking that always keeps a handler from working in one revision only. A throw is not remembered.
 */
export function createOnce(): Once {
  const results = new Map<string, Promise<unknown>>()

  return <T>(key: string, work: () => T | Promise<T>): Promise<T> => {
    const known = results.get(key)
    if (known !== undefined) return known as Promise<T> // the same key is the same work
    const result = run(key, work)
    results.set(key, result)
    result.catch(() => results.delete(key))
    return result
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

/** Values that are forgotten after their time. Looking for expired ones costs little: some with every write. */
export interface ExpiringMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, keepMs: number): void
  delete(key: string): void
  /** In the order they were first set. */
  entries(): IterableIterator<[string, Value]>
}

interface Stored<Value> {
  readonly value: Value
  readonly until: number
}

/** Expired values that one write looks for: more than it adds, so that they cannot pile up. */
const sweptByWrite = 4

export function createExpiringMap<Value>(now: () => number): ExpiringMap<Value> {
  const entriesByKey = new Map<string, Stored<Value>>()
  let sweep = entriesByKey.entries()

  function sweepSome(): void {
    for (let count = 0; count < sweptByWrite; count += 1) {
      const next = sweep.next()
      if (next.done) {
        sweep = entriesByKey.entries()
        return
      }
      const [key, { until }] = next.value
      if (until <= now()) entriesByKey.delete(key)
    }
  }

  return {
    get(key) {
      const found = entriesByKey.get(key)
      return found !== undefined && found.until > now() ? found.value : undefined
    },
    set(key, value, keepMs) {
      const existing = entriesByKey.get(key)
      if (existing !== undefined && existing.until <= now()) entriesByKey.delete(key)
      entriesByKey.set(key, { value, until: now() + keepMs })
      sweepSome()
    },
    delete: (key) => void entriesByKey.delete(key),
    *entries() {
      for (const [key, { value, until }] of entriesByKey) if (until > now()) yield [key, value]
    },
  }
}

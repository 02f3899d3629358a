/** Where what may be used once is remembered. `cluster.once` of `@parley/cluster` is one that all processes share. */
export interface OnceStore {
  /** True the first time; false for as long as it is remembered. */
  add(key: string, keepMs: number): Promise<boolean>
}

/** Remembers what was used, for as long as it could be used again. */
export interface Replayed {
  /** False if it was used before. A promise where other processes may have used it. */
  use(id: string, until: number): boolean | Promise<boolean>
}

/** For all processes. Rejects while that cannot be known: the proof is not accepted then. */
export function replayedAnywhere(once: OnceStore): Replayed {
  return {
    use(id, until) {
      const keepMs = until - Date.now()
      return keepMs > 0 && once.add(`dpop ${id}`, keepMs)
    },
  }
}

/** In this process only; when there is no room the oldest are forgotten. */
export function createReplayed(entries = 100_000): Replayed {
  const used = new Map<string, number>()

  function makeRoom(now: number): void {
    for (const [id, until] of used) {
      if (until > now && used.size < entries) return
      used.delete(id)
    }
  }

  return {
    use(id, until) {
      const now = Date.now()
      const before = used.get(id)
      if (before !== undefined && before > now) return false
      makeRoom(now)
      used.delete(id)
      used.set(id, until)
      return true
    },
  }
}

/** Remembers what was used, for as long as it could be used again. */
export interface Replayed {
  /** False if it was used before. */
  use(id: string, until: number): boolean
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

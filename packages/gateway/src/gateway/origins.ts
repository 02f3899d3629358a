/** From which server something came that no list names: a link in a result, a task. Bounded; the oldest are forgotten. */
export interface Origins {
  remember(who: string, what: string, upstream: string): void
  find(who: string, what: string): string | undefined
}

const most = 10_000

export function createOrigins(): Origins {
  const known = new Map<string, string>()
  return {
    /** The first to name it keeps it: another server cannot take over what was given out before. */
    remember(who, what, upstream) {
      const key = JSON.stringify([who, what])
      if (known.has(key)) return
      known.set(key, upstream)
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
    find: (who, what) => known.get(JSON.stringify([who, what])),
  }
}

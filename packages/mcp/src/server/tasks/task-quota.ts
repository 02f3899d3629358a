/** How many tasks one account may have. */
export interface TaskQuota {
  /** A place for one more; undefined if there is none. */
  take(account: string): TaskPlace | undefined
}

/** Room for one task: while it runs, and for as long as its end is remembered. */
export interface TaskPlace {
  /** The work is done. */
  rest(): void
  /** It is forgotten. */
  leave(): void
}

/** So many may be remembered for each that may run. */
const keptPerRunning = 10

export function createTaskQuota(mostRunning: number): TaskQuota {
  const counts = new Map<string, { running: number; kept: number }>()

  return {
    take(account) {
      const count = counts.get(account) ?? { running: 0, kept: 0 }
      if (count.running >= mostRunning || count.kept >= mostRunning * keptPerRunning)
        return undefined
      counts.set(account, count)
      count.running += 1
      count.kept += 1
      let isRunning = true
      let isKept = true

      function rest(): void {
        if (isRunning) count.running -= 1
        isRunning = false
      }
      return {
        rest,
        leave() {
          rest()
          if (isKept) count.kept -= 1
          isKept = false
          if (count.kept === 0) counts.delete(account)
        },
      }
    },
  }
}

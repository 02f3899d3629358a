/** How many tasks one account may have. */
export interface TaskQuota {
  /** Takes a place for one more task; undefined if there is none. */
  take(account: string): TaskPlace | undefined
}

/** The place of one task: while it runs, and while its result is remembered. */
export interface TaskPlace {
  /** The task no longer runs. */
  rest(): void
  /** The task is forgotten. */
  leave(): void
}

/** Tasks remembered for each that may run. */
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

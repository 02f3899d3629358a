/** What was written before, for the keys up and down. */
export interface History {
  add(text: string): void
  /** The one before or after what is shown now; undefined if there is none. */
  step(by: -1 | 1, now: string): string | undefined
  /** The next step begins at the newest again. */
  reset(): void
}

const maxKept = 200

export function createHistory(): History {
  const kept: string[] = []
  let at = 0
  /** What was being written when the steps began. */
  let draft = ''
  return {
    add(text) {
      if (kept.at(-1) !== text) kept.push(text)
      if (kept.length > maxKept) kept.shift()
      at = kept.length
    },
    step(by, now) {
      if (at === kept.length) draft = now
      const next = at + by
      if (next < 0 || next > kept.length) return undefined
      at = next
      return kept[at] ?? draft
    },
    reset() {
      at = kept.length
    },
  }
}

/** What was written before, for the keys up and down. */
export interface History {
  add(text: string): void
  /** The one before or after what is shown now; undefined if there is none. */
  step(by: -1 | 1, now: string): string | undefined
  /** The next step begins at the newest again. */
  reset(): void
}

const maxStored = 200

export function createHistory(): History {
  const lines: string[] = []
  let at = 0
  /** What was being written when the steps began. */
  let draft = ''
  return {
    add(text) {
      if (lines.at(-1) !== text) lines.push(text)
      if (lines.length > maxStored) lines.shift()
      at = lines.length
    },
    step(by, now) {
      if (at === lines.length) draft = now
      const next = at + by
      if (next < 0 || next > lines.length) return undefined
      at = next
      return lines[at] ?? draft
    },
    reset() {
      at = lines.length
    },
  }
}

import type { Thought } from './thought.ts'

/** How much one history keeps. */
export interface HistoryLimits {
  /** @defaultValue 1_000 */
  readonly maxThoughts?: number | undefined
  /** @defaultValue 100 */
  readonly maxBranches?: number | undefined
  /** As the text takes in memory. @defaultValue 5 MB */
  readonly maxBytes?: number | undefined
}

/** The steps of one line of thinking, with its branches. What is oldest makes room when there is too much. */
export interface History {
  /** False if the thought alone is too long. */
  add(thought: Thought): boolean
  thoughts(): readonly Thought[]
  /** Names, in the order they came up. */
  branches(): readonly string[]
  clear(): void
}

/** An empty history. */
export function createHistory(limits: HistoryLimits = {}): History {
  const { maxThoughts = 1_000, maxBranches = 100, maxBytes = 5_000_000 } = limits
  const kept: { readonly thought: Thought; readonly branch: string | undefined }[] = []
  /** How many of the thoughts are on each. */
  const branches = new Map<string, number>()
  let bytes = 0

  function forgetOldest(): void {
    const oldest = kept.shift()
    if (oldest === undefined) return
    bytes -= sizeOf(oldest.thought)
    const { branch } = oldest
    const left = branch === undefined ? undefined : branches.get(branch)
    if (branch === undefined || left === undefined) return
    if (left > 1) branches.set(branch, left - 1)
    else branches.delete(branch)
  }

  return {
    add(thought) {
      const size = sizeOf(thought)
      if (size > maxBytes) return false
      const branch = thought.branchFromThought === undefined ? undefined : thought.branchId
      kept.push({ thought, branch: branch || undefined })
      bytes += size
      if (branch) branches.set(branch, (branches.get(branch) ?? 0) + 1)
      while (kept.length > maxThoughts || bytes > maxBytes) forgetOldest()
      const [first] = branches.keys()
      if (branches.size > maxBranches && first !== undefined) branches.delete(first)
      return true
    },
    thoughts: () => kept.map(({ thought }) => thought),
    branches: () => [...branches.keys()],
    clear() {
      kept.length = 0
      bytes = 0
      branches.clear()
    },
  }
}

/** Two bytes for each character, and what an object takes. */
function sizeOf({ thought, branchId = '' }: Thought): number {
  return 2 * (thought.length + branchId.length) + 200
}

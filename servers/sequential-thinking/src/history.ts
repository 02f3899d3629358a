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
  const thoughts: { readonly thought: Thought; readonly branch: string | undefined }[] = []
  /** How many of the thoughts are on each, also on those that are not listed any more. */
  const counts = new Map<string, number>()
  const branches = new Set<string>()
  let bytes = 0

  function forgetOldest(): void {
    const oldest = thoughts.shift()
    if (oldest === undefined) return
    bytes -= sizeOf(oldest.thought)
    const { branch } = oldest
    if (branch === undefined) return
    const left = (counts.get(branch) ?? 0) - 1
    counts.set(branch, left)
    if (left > 0) return
    counts.delete(branch)
    branches.delete(branch)
  }

  return {
    add(thought) {
      const size = sizeOf(thought)
      if (size > maxBytes) return false
      const branch = thought.branchFromThought === undefined ? undefined : thought.branchId
      thoughts.push({ thought, branch: branch || undefined })
      bytes += size
      if (branch) {
        counts.set(branch, (counts.get(branch) ?? 0) + 1)
        branches.add(branch)
      }
      while (thoughts.length > maxThoughts || bytes > maxBytes) forgetOldest()
      const [first] = branches
      if (branches.size > maxBranches && first !== undefined) branches.delete(first)
      return true
    },
    thoughts: () => thoughts.map(({ thought }) => thought),
    branches: () => [...branches],
    clear() {
      thoughts.length = 0
      bytes = 0
      branches.clear()
      counts.clear()
    },
  }
}

/** Two bytes for each character, and what an object takes. */
function sizeOf({ thought, branchId = '' }: Thought): number {
  return 2 * (thought.length + branchId.length) + 200
}

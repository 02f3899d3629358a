import { gitBlame } from './extras/blame.ts'
import { gitClone } from './extras/clone.ts'
import { gitMerge, gitRebase } from './extras/merge.ts'
import { gitRestore } from './extras/restore.ts'
import { gitStash } from './extras/stash.ts'
import { gitTag } from './extras/tag.ts'
import { gitFetch, gitPull, gitPush } from './extras/transfer.ts'
import { gitWorktreeAdd, gitWorktreeList, gitWorktreeRemove } from './extras/worktree.ts'
import type { GitTool } from './git-tool.ts'

const tools = {
  stash: [gitStash],
  tag: [gitTag],
  blame: [gitBlame],
  merge: [gitMerge],
  rebase: [gitRebase],
  restore: [gitRestore],
  worktree: [gitWorktreeList, gitWorktreeAdd, gitWorktreeRemove],
  fetch: [gitFetch],
  pull: [gitPull],
  push: [gitPush],
  clone: [gitClone],
} satisfies { readonly [name: string]: readonly GitTool[] }

/** What may be switched on beyond the reference. */
export type Extra = keyof typeof tools
export const extras = Object.keys(tools) as readonly Extra[] // an object literal has no others

/** The tools that were switched on. */
export function extraTools(enabled: readonly Extra[]): readonly GitTool[] {
  return extras
    .filter((name) => enabled.includes(name))
    .flatMap((name): readonly GitTool[] => tools[name])
}

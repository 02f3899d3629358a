import type { Feature } from '@parley/mcp/server'

import { blameTool } from './extras/blame.ts'
import { cloneTool } from './extras/clone.ts'
import { mergeTool, rebaseTool } from './extras/merge.ts'
import { restoreTool } from './extras/restore.ts'
import { stashTool } from './extras/stash.ts'
import { tagTool } from './extras/tag.ts'
import { fetchTool, pullTool, pushTool, type TransferOptions } from './extras/transfer.ts'
import { worktreeTools } from './extras/worktree.ts'
import type { Repositories } from './repositories.ts'

/** What may be switched on beyond the reference. */
export const extras = [
  'stash',
  'tag',
  'blame',
  'merge',
  'rebase',
  'restore',
  'worktree',
  'fetch',
  'pull',
  'push',
  'clone',
] as const
export type Extra = (typeof extras)[number]

/** The tools that were switched on. */
export function extraTools(
  repositories: Repositories,
  enabled: ReadonlySet<Extra>,
  transfer: TransferOptions,
): readonly Feature[] {
  const tools: { readonly [Name in Extra]: () => readonly Feature[] } = {
    stash: () => [stashTool(repositories)],
    tag: () => [tagTool(repositories)],
    blame: () => [blameTool(repositories)],
    merge: () => [mergeTool(repositories)],
    rebase: () => [rebaseTool(repositories)],
    restore: () => [restoreTool(repositories)],
    worktree: () => worktreeTools(repositories),
    fetch: () => [fetchTool(repositories, transfer)],
    pull: () => [pullTool(repositories, transfer)],
    push: () => [pushTool(repositories, transfer)],
    clone: () => [cloneTool(repositories, transfer)],
  }
  return extras.filter((name) => enabled.has(name)).flatMap((name) => tools[name]())
}

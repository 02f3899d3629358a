import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitBlame } from './extras/blame.ts'
import { gitClone } from './extras/clone.ts'
import { gitMerge, gitRebase } from './extras/merge.ts'
import { gitStash } from './extras/stash.ts'
import { gitTag } from './extras/tag.ts'
import { gitFetch, gitPull, gitPush } from './extras/transfer.ts'
import { gitWorktreeAdd, gitWorktreeList, gitWorktreeRemove } from './extras/worktree.ts'
import { gitTool, type GitTool } from './git-tool.ts'

/** `git_restore`: files as they were. */
const gitRestore = gitTool(
  'git_restore',
  {
    title: 'Git Restore',
    description:
      'Undoes changes to files: those that are not staged, or with staged those that are.',
    input: {
      files: z.array(z.string()).min(1).describe('Paths in the work tree; no patterns'),
      staged: z.boolean().default(false).describe('Unstage instead; the files stay as they are'),
      source: z.string().optional().describe('As they were there, instead of in the last commit'),
    },
    output: z.object({ files: z.array(z.string()) }),
    annotations: toolHints('destroys', { idempotent: true }),
  },
  async (repository, { files, staged, source }) => {
    const paths = [...(await repository.paths(files))]
    const from =
      source === undefined ? [] : [`--source=${await repository.commit(source, 'source')}`]
    const where = staged ? '--staged' : '--worktree'
    const args = ['restore', '--quiet', '--no-recurse-submodules', where, ...from, '--', ...paths]
    await repository.run(args, { isWriting: true })
    return { text: `Restored ${paths.join(', ')}`, data: { files: paths } }
  },
)

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

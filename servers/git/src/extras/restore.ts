import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool } from '../git-tool.ts'

/** `git_restore`: files as they were. */
export const gitRestore = gitTool(
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

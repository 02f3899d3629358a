import type { Feature } from '@parley/mcp/server'
import { z } from 'zod'

import { destroysOnce } from '../hints.ts'
import type { Repositories } from '../repositories.ts'
import { repositoryTool } from '../tool-kit.ts'

/** `git_restore`: files as they were. */
export function restoreTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
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
      annotations: destroysOnce,
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
}

import { join } from 'node:path'

import { defineTool, toolResult, type Feature } from '@parley/mcp/server'
import { requirePlain } from '@parley/server-kit/git'
import { z } from 'zod'

import { transfers } from '../hints.ts'
import { explained, type Repositories } from '../repositories.ts'
import { requireAllowed } from './remotes.ts'
import { requireConsent, type TransferOptions } from './transfer.ts'
import { requireDirectory, requireFolderName } from './worktree.ts'

/** `git_clone`: a copy of another repository, in the folder for that. */
export function cloneTool({ runner, directory }: Repositories, options: TransferOptions): Feature {
  return defineTool(
    'git_clone',
    {
      title: 'Git Clone',
      description:
        'Makes a copy of a repository, in the folder the server keeps them in. Asks the user first.',
      inputSchema: z.object({
        url: z.string().describe('Where it is'),
        name: z
          .string()
          .optional()
          .describe('The name of the new folder; that of the repository, unless said'),
      }),
      outputSchema: z.object({ repo_path: z.string() }),
      annotations: { ...transfers, idempotentHint: false },
    },
    ({ url, name }, context) =>
      explained(async () => {
        requirePlain(url, 'url')
        const { protocols } = requireAllowed([url], options.remotes)
        const folder = requireDirectory(directory)
        const [last = ''] = /[^/:]+$/.exec(url.replace(/\/+$/, '')) ?? []
        const path = join(folder, requireFolderName(name ?? last.replace(/\.git$/, '')))
        await requireConsent(context, options, `Clone ${url} into ${path}?`)
        const args = [
          'clone',
          '--quiet',
          '--template=',
          '--no-local',
          '--no-recurse-submodules',
          '--',
          url,
          path,
        ]
        await runner.run(args, {
          directory: folder,
          isWriting: true,
          protocols,
          timeoutMs: 10 * 60_000,
          signal: context.signal,
        })
        return toolResult({
          structuredContent: { repo_path: path },
          content: [`Cloned into ${path}`],
        })
      }),
  )
}

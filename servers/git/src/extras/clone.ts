import { join } from 'node:path'

import { defineTool, toolResult } from '@parley/mcp/server'
import { requirePlain, requireRemotes } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { explained, type GitTool } from '../git-tool.ts'
import { requireDirectory, requireFolderName } from './folders.ts'
import { requireConsent, rulesOf, slowly } from './transfer.ts'

/** A copy of another repository, in the folder for that. */
export const gitClone: GitTool = (repositories) =>
  defineTool(
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
      annotations: toolHints('adds', { openWorld: true }),
    },
    ({ url, name }, context) =>
      explained(async () => {
        const call = { repositories, context }
        requirePlain(url, 'url')
        const { protocols } = await requireRemotes([url], rulesOf(call))
        const directory = requireDirectory(repositories)
        const path = join(directory, requireFolderName(name ?? lastPart(url)))
        await requireConsent(call, `Clone ${url} into ${path}?`)
        const args = [
          'clone',
          '--progress',
          '--template=',
          '--no-local',
          '--no-recurse-submodules',
          '--',
          url,
          path,
        ]
        const { signal } = context
        await repositories.runner.run(args, { ...slowly(context), directory, protocols, signal })
        return toolResult({
          structuredContent: { repo_path: path },
          content: [`Cloned into ${path}`],
        })
      }),
  )

/** `project` of `https://example.com/team/project.git`. */
function lastPart(url: string): string {
  const [last = ''] = /[^/:]+$/.exec(url.replace(/\/+$/, '')) ?? []
  return last.replace(/\.git$/, '')
}

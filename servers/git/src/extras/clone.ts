import { join } from 'node:path'

import { ToolError } from '@parley/mcp'
import { defineTool, toolResult } from '@parley/mcp/server'
import { requirePlain, requireRemotes } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { explained, type GitTool } from '../git-tool.ts'
import type { Repositories } from '../repositories.ts'
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

/** Where clones and work trees are made. */
export function requireDirectory({ directory }: Repositories): string {
  if (directory !== undefined) return directory
  throw new ToolError('Nowhere to put it: start the server with --directory DIR.')
}

/** The name of a folder, not a path. */
export function requireFolderName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(name)) return name
  throw new ToolError(
    'The name of a folder has letters, digits, dots, _ and -, and does not begin with a dot.',
  )
}

import { join } from 'node:path'

import { ToolError } from '@parley/mcp'
import type { Feature } from '@parley/mcp/server'
import { realOrParent, requireNewName, type Repository } from '@parley/server-kit/git'
import { isInside } from '@parley/server-kit/paths'
import { z } from 'zod'

import { adds, destroys, looksOnly } from '../hints.ts'
import type { Repositories } from '../repositories.ts'
import { repositoryTool } from '../tool-kit.ts'

const tree = z.object({
  path: z.string(),
  hash: z.string().optional(),
  branch: z.string().optional(),
})
const output = z.object({ worktrees: z.array(tree) })

/** `git_worktree_list`, `git_worktree_add` and `git_worktree_remove`. */
export function worktreeTools(repositories: Repositories): readonly Feature[] {
  const { directory } = repositories
  return [
    repositoryTool(
      repositories,
      'git_worktree_list',
      {
        title: 'Git Worktree List',
        description: 'Lists the work trees of a repository.',
        input: {},
        output,
        annotations: looksOnly,
      },
      answer,
    ),
    repositoryTool(
      repositories,
      'git_worktree_add',
      {
        title: 'Git Worktree Add',
        description: 'Makes a folder with another branch checked out.',
        input: {
          name: z.string().describe('The name of the folder'),
          branch: z.string().describe('The branch; made from base if it is not there'),
          base: z.string().default('HEAD'),
        },
        output,
        annotations: adds,
      },
      async (repository, { name, branch, base }) => {
        const path = join(requireDirectory(directory), requireFolderName(name))
        requireNewName(branch, 'branch')
        const isThere = (await repository.findCommit(`refs/heads/${branch}`)) !== undefined
        const what = isThere
          ? [path, branch]
          : ['--no-track', '-b', branch, path, await repository.commit(base, 'base')]
        await repository.run(['worktree', 'add', '--quiet', '--no-guess-remote', ...what], {
          isWriting: true,
        })
        return answer(repository)
      },
    ),
    repositoryTool(
      repositories,
      'git_worktree_remove',
      {
        title: 'Git Worktree Remove',
        description: 'Removes a work tree that has no changes.',
        input: { path: z.string().describe('As git_worktree_list shows it') },
        output,
        annotations: destroys,
      },
      async (repository, { path }) => {
        const real = await realOrParent(path)
        const known = await worktrees(repository)
        const isOurs =
          isInside(real, requireDirectory(directory)) && known.some((one) => one.path === real)
        if (!isOurs) throw new ToolError(`${path} is no work tree that may be removed.`)
        await repository.run(['worktree', 'remove', real], { isWriting: true })
        return answer(repository)
      },
    ),
  ]
}

async function answer(repository: Repository) {
  const found = await worktrees(repository)
  const lines = found.map(({ path, hash, branch }) => [path, hash?.slice(0, 8), branch].join('  '))
  return { text: lines.join('\n'), data: { worktrees: found } }
}

async function worktrees(repository: Repository): Promise<z.infer<typeof tree>[]> {
  const { text } = await repository.run(['worktree', 'list', '--porcelain', '-z'])
  return text
    .split('\0\0')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = new Map(block.split('\0').map((field) => splitOnce(field)))
      const hash = fields.get('HEAD')
      const branch = fields.get('branch')?.replace('refs/heads/', '')
      const path = fields.get('worktree') ?? ''
      return { path, ...(hash !== undefined && { hash }), ...(branch !== undefined && { branch }) }
    })
}

function splitOnce(field: string): [string, string] {
  const end = field.indexOf(' ')
  return end === -1 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)]
}

/** Where folders may be made. */
export function requireDirectory(directory: string | undefined): string {
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

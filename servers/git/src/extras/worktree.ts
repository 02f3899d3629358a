import { join } from 'node:path'

import { ToolError } from '@parley/mcp'
import {
  readWorktrees,
  realOrParent,
  requireNewName,
  type Repository,
} from '@parley/server-kit/git'
import { isInside } from '@parley/server-kit/paths'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, listed } from '../git-tool.ts'
import { isCut } from '../schemas.ts'
import { requireDirectory, requireFolderName } from './clone.ts'

const worktree = z.object({
  path: z.string(),
  hash: z.string().optional(),
  branch: z.string().optional(),
})
const writing = { isWriting: true }
const output = z.object({ worktrees: z.array(worktree), isCut })

async function answer(repository: Repository) {
  const data = await readWorktrees(repository)
  const lines = data.worktrees.map(({ path, hash, branch }) =>
    [path, hash?.slice(0, 8), branch].join('  '),
  )
  return { text: listed(lines.join('\n'), data.isCut), data }
}

export const gitWorktreeList = gitTool(
  'git_worktree_list',
  {
    title: 'Git Worktree List',
    description: 'Lists the work trees of a repository.',
    input: {},
    output,
    annotations: toolHints('reads'),
  },
  answer,
)

export const gitWorktreeAdd = gitTool(
  'git_worktree_add',
  {
    title: 'Git Worktree Add',
    description: 'Makes a folder with another branch checked out.',
    input: {
      name: z.string().describe('The name of the folder'),
      branch: z.string().describe('The branch; made from base if it is not there'),
      base: z.string().default('HEAD').describe('Where a new branch starts'),
    },
    output,
    annotations: toolHints('adds'),
  },
  async (repository, { name, branch, base }, { repositories, context }) => {
    const path = join(requireDirectory(repositories), requireFolderName(name))
    requireNewName(branch, 'branch')
    const isThere = (await repository.findCommit(`refs/heads/${branch}`)) !== undefined
    const what = isThere
      ? [path, branch]
      : ['--no-track', '-b', branch, path, await repository.commit(base, 'base')]
    const args = ['worktree', 'add', '--quiet', '--no-guess-remote', '--no-checkout', ...what]
    await repository.run(args, writing)
    try {
      // Filled by the settings that hold there, which are not those that hold here.
      const added = await repositories.open(path, context.signal)
      await added.run(['reset', '--hard', '--quiet', '--no-recurse-submodules'], writing)
    } catch (error) {
      await repository.run(['worktree', 'remove', '--force', path], writing)
      throw error
    }
    return answer(repository)
  },
)

export const gitWorktreeRemove = gitTool(
  'git_worktree_remove',
  {
    title: 'Git Worktree Remove',
    description: 'Removes a work tree that has no changes.',
    input: { path: z.string().describe('As git_worktree_list shows it') },
    output,
    annotations: toolHints('destroys'),
  },
  async (repository, { path }, { repositories }) => {
    const real = await realOrParent(path)
    const { worktrees } = await readWorktrees(repository)
    const isOurs =
      isInside(real, requireDirectory(repositories)) &&
      worktrees.some((candidate) => candidate.path === real)
    if (!isOurs) {
      throw new ToolError(
        `${path} is not a work tree of this repository below the server's --directory.`,
      )
    }
    await repository.run(['worktree', 'remove', real], writing)
    return answer(repository)
  },
)

import { ToolError } from '@parley/mcp'
import type { Feature } from '@parley/mcp/server'
import { requireNewName, type Repository } from '@parley/server-kit/git'
import { z } from 'zod'

import { adds, looksOnly } from '../hints.ts'
import type { Repositories } from '../repositories.ts'
import { repositoryTool, said } from '../tool-kit.ts'

const writing = { isWriting: true }

/** `git_create_branch`, `git_checkout`. */
export function branchTools(repositories: Repositories): readonly Feature[] {
  return [createTool(repositories), checkoutTool(repositories)]
}

function createTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
    'git_create_branch',
    {
      title: 'Git Create Branch',
      description: 'Makes a branch, from where you are or from another branch.',
      input: {
        branch_name: z.string().describe('The new branch'),
        base_branch: z.string().nullish().describe('Where it starts; here, unless said'),
      },
      output: z.object({ branch: z.string(), base: z.string(), hash: z.string() }),
      annotations: adds,
    },
    async (repository, { branch_name: branch, base_branch: given }) => {
      requireNewName(branch, 'branch name')
      const hash = await repository.commit(given ?? 'HEAD', 'base branch')
      const base = given ?? (await currentBranch(repository)) ?? hash
      await repository.run(['branch', '--no-track', branch, hash], writing)
      return { text: `Created branch '${branch}' from '${base}'`, data: { branch, base, hash } }
    },
  )
}

function checkoutTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
    'git_checkout',
    {
      title: 'Git Checkout',
      description: 'Switches to a branch, or to a commit without one.',
      input: { branch_name: z.string().describe('A branch, tag or commit') },
      output: z.object({ branch: z.string().optional(), hash: z.string() }),
      annotations: adds,
    },
    async (repository, { branch_name: name }) => {
      const hash = await repository.commit(name, 'branch')
      const isBranch = (await repository.findCommit(`refs/heads/${name}`)) !== undefined
      const common = ['checkout', '--quiet', '--no-recurse-submodules']
      const args = isBranch ? ['--no-guess', name, '--'] : ['--detach', hash, '--']
      await repository.run([...common, ...args], writing)
      const data = isBranch ? { branch: name, hash } : { hash }
      return { text: `Switched to branch '${name}'`, data }
    },
  )
}

const kinds: { readonly [name: string]: readonly string[] | undefined } = {
  local: [],
  remote: ['--remotes'],
  all: ['--all'],
}

/** `git_branch`. */
export function listTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
    'git_branch',
    {
      title: 'Git Branch',
      description: 'Lists branches, if wanted those that contain a commit or do not.',
      input: {
        branch_type: z.string().describe('local, remote or all'),
        contains: z.string().nullish().describe('Only branches that contain this commit'),
        not_contains: z
          .string()
          .nullish()
          .describe('Only branches that do not contain this commit'),
      },
      output: z.object({
        branches: z.array(
          z.object({
            name: z.string(),
            hash: z.string(),
            isCurrent: z.boolean(),
            isRemote: z.boolean(),
          }),
        ),
      }),
      annotations: looksOnly,
    },
    async (repository, { branch_type: type, contains, not_contains: without }) => {
      const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
      if (!kind) throw new ToolError(`Invalid branch type: ${type}`)
      const filters = [
        ...(contains ? ['--contains', await repository.commit(contains)] : []),
        ...(without ? ['--no-contains', await repository.commit(without)] : []),
      ]
      const shown = await repository.run(['branch', ...kind, ...filters])
      return {
        text: said(shown),
        data: { branches: await branches(repository, [...kind, ...filters]) },
      }
    },
  )
}

async function branches(repository: Repository, args: readonly string[]) {
  const format = '--format=%(HEAD)%00%(refname)%00%(objectname)'
  const { text } = await repository.run(['branch', format, ...args])
  return text.split('\n').flatMap((line) => {
    const [head, ref = '', hash = ''] = line.split('\0')
    const [, kind, name] = /^refs\/(heads|remotes)\/(.+)$/.exec(ref) ?? []
    if (name === undefined) return [] // no branch is checked out
    return [{ name, hash, isCurrent: head === '*', isRemote: kind === 'remotes' }]
  })
}

/** The name of the branch that is checked out. */
export async function currentBranch(repository: Repository): Promise<string | undefined> {
  const { text } = await repository.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], {
    accept: [1],
  })
  return text.trim() || undefined
}

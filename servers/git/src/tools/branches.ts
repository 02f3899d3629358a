import { ToolError } from '@parley/mcp'
import { currentBranch, readBranches, requireNewName } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, said } from '../git-tool.ts'
import { branchSchema, isCut } from '../schemas.ts'

const writing = { isWriting: true }

export const gitCreateBranch = gitTool(
  'git_create_branch',
  {
    title: 'Git Create Branch',
    description: 'Makes a branch, from where you are or from another branch.',
    input: {
      branch_name: z.string().describe('The new branch'),
      base_branch: z.string().nullish().describe('Where it starts; here, unless said'),
    },
    output: z.object({ branch: z.string(), base: z.string(), hash: z.string() }),
    annotations: toolHints('adds'),
  },
  async (repository, { branch_name: branch, base_branch: given }) => {
    requireNewName(branch, 'branch name')
    const hash = await repository.commit(given ?? 'HEAD', 'base branch')
    const base = given ?? (await currentBranch(repository)) ?? hash
    await repository.run(['branch', '--no-track', branch, hash], writing)
    return { text: `Created branch '${branch}' from '${base}'`, data: { branch, base, hash } }
  },
)

export const gitCheckout = gitTool(
  'git_checkout',
  {
    title: 'Git Checkout',
    description: 'Switches to a branch, or to a commit without one.',
    input: { branch_name: z.string().describe('A branch, tag or commit') },
    output: z.object({ branch: z.string().optional(), hash: z.string() }),
    annotations: toolHints('adds'),
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

const kinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['local', []],
  ['remote', ['--remotes']],
  ['all', ['--all']],
])

export const gitBranch = gitTool(
  'git_branch',
  {
    title: 'Git Branch',
    description: 'Lists branches, if wanted those that contain a commit or do not.',
    input: {
      branch_type: z.string().describe('local, remote or all'),
      contains: z.string().nullish().describe('Only branches that contain this commit'),
      not_contains: z.string().nullish().describe('Only branches that do not contain this commit'),
    },
    output: z.object({ branches: z.array(branchSchema), isCut }),
    annotations: toolHints('reads'),
  },
  async (repository, { branch_type: type, contains, not_contains: without }) => {
    const kind = kinds.get(type)
    if (!kind) throw new ToolError(`Invalid branch type: ${type}`)
    const args = [
      ...kind,
      ...(contains ? ['--contains', await repository.commit(contains)] : []),
      ...(without ? ['--no-contains', await repository.commit(without)] : []),
    ]
    const shown = await repository.run(['branch', ...args])
    return { text: said(shown), data: await readBranches(repository, args) }
  },
)

import { plainDiff, readChangedFiles, readStatus, type Repository } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, said } from '../git-tool.ts'
import { differencesSchema, statusSchema } from '../schemas.ts'

export const gitStatus = gitTool(
  'git_status',
  {
    title: 'Git Status',
    description: 'Shows the state of the work tree: what is staged, changed and untracked.',
    input: {},
    output: statusSchema,
    annotations: toolHints('reads'),
  },
  async (repository) => {
    const status = await repository.run(['status', '--ignore-submodules=dirty'])
    return { text: `Repository status:\n${said(status)}`, data: await readStatus(repository) }
  },
)

const contextLines = z
  .int()
  .min(0)
  .max(100_000)
  .default(3)
  .describe('Lines shown around each change')

export const gitDiffUnstaged = gitTool(
  'git_diff_unstaged',
  {
    title: 'Git Diff Unstaged',
    description: 'Shows changes in the work tree that are not staged.',
    input: { context_lines: contextLines },
    output: differencesSchema,
    annotations: toolHints('reads'),
  },
  (repository, { context_lines: lines }) =>
    differences(repository, 'Unstaged changes:', { lines, args: [] }),
)

export const gitDiffStaged = gitTool(
  'git_diff_staged',
  {
    title: 'Git Diff Staged',
    description: 'Shows changes that are staged for the next commit.',
    input: { context_lines: contextLines },
    output: differencesSchema,
    annotations: toolHints('reads'),
  },
  (repository, { context_lines: lines }) =>
    differences(repository, 'Staged changes:', { lines, args: ['--cached'] }),
)

export const gitDiff = gitTool(
  'git_diff',
  {
    title: 'Git Diff',
    description:
      'Shows how the work tree differs from a branch or commit, or two of them: a..b, a...b.',
    input: {
      target: z.string().describe('A branch, tag or commit, or two with .. or ... between'),
      context_lines: contextLines,
    },
    output: differencesSchema,
    annotations: toolHints('reads'),
  },
  async (repository, { target, context_lines: lines }) => {
    const args = [await resolveTarget(repository, target), '--']
    return differences(repository, `Diff with ${target}:`, { lines, args })
  },
)

async function differences(
  repository: Repository,
  heading: string,
  { lines, args }: { readonly lines: number; readonly args: readonly string[] },
) {
  const shown = await repository.run(['diff', ...plainDiff, `--unified=${lines}`, ...args])
  const { files, isCut } = await readChangedFiles(repository, ['diff', ...args])
  return { text: `${heading}\n${said(shown)}`, data: { files, isCut: isCut || shown.isCut } }
}

async function resolveTarget(repository: Repository, target: string): Promise<string> {
  const [, from, dots, to] = /^([^.].*?)(\.{2,3})([^.].*)$/.exec(target) ?? []
  if (from === undefined || to === undefined) return repository.commit(target, 'target')
  const both = [await repository.commit(from, 'target'), await repository.commit(to, 'target')]
  return both.join(dots)
}

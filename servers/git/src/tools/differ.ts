import type { Feature } from '@parley/mcp/server'
import type { Repository } from '@parley/server-kit/git'
import { z } from 'zod'

import { commitSchema, describeCommit, readCommits, type Commit } from '../commits.ts'
import { changedFile, changedFiles, plainDiff } from '../diff.ts'
import { looksOnly } from '../hints.ts'
import type { Repositories } from '../repositories.ts'
import { repositoryTool, said } from '../tool-kit.ts'

const contextLines = z
  .int()
  .min(0)
  .max(100_000)
  .default(3)
  .describe('Lines shown around each change')
const output = z.object({ files: z.array(changedFile), isCut: z.boolean() })

async function differences(
  repository: Repository,
  heading: string,
  { lines, args }: { readonly lines: number; readonly args: readonly string[] },
) {
  const shown = await repository.run(['diff', ...plainDiff, `--unified=${lines}`, ...args])
  const files = await changedFiles(repository, ['diff', ...args])
  return { text: `${heading}\n${said(shown)}`, data: { files, isCut: shown.isCut } }
}

/** `git_diff_unstaged`, `git_diff_staged` and `git_diff`. */
export function diffTools(repositories: Repositories): readonly Feature[] {
  return [
    repositoryTool(
      repositories,
      'git_diff_unstaged',
      {
        title: 'Git Diff Unstaged',
        description: 'Shows changes in the work tree that are not staged.',
        input: { context_lines: contextLines },
        output,
        annotations: looksOnly,
      },
      (repository, { context_lines: lines }) =>
        differences(repository, 'Unstaged changes:', { lines, args: [] }),
    ),
    repositoryTool(
      repositories,
      'git_diff_staged',
      {
        title: 'Git Diff Staged',
        description: 'Shows changes that are staged for the next commit.',
        input: { context_lines: contextLines },
        output,
        annotations: looksOnly,
      },
      (repository, { context_lines: lines }) =>
        differences(repository, 'Staged changes:', { lines, args: ['--cached'] }),
    ),
    repositoryTool(
      repositories,
      'git_diff',
      {
        title: 'Git Diff',
        description:
          'Shows how the work tree differs from a branch or commit, or two of them: a..b, a...b.',
        input: {
          target: z.string().describe('A branch, tag or commit, or two with .. or ... between'),
          context_lines: contextLines,
        },
        output,
        annotations: looksOnly,
      },
      async (repository, { target, context_lines: lines }) => {
        const args = [await resolveTarget(repository, target), '--']
        return differences(repository, `Diff with ${target}:`, { lines, args })
      },
    ),
  ]
}

async function resolveTarget(repository: Repository, target: string): Promise<string> {
  const [, from, dots, to] = /^([^.].*?)(\.{2,3})([^.].*)$/.exec(target) ?? []
  if (from === undefined || to === undefined) return repository.commit(target, 'target')
  const both = [await repository.commit(from, 'target'), await repository.commit(to, 'target')]
  return both.join(dots)
}

/** `git_show`. */
export function showTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
    'git_show',
    {
      title: 'Git Show',
      description: 'Shows a commit: who, when, why, and what it changed.',
      input: { revision: z.string().describe('A branch, tag or commit') },
      output: z.object({ commit: commitSchema, ...output.shape }),
      annotations: looksOnly,
    },
    async (repository, { revision }) => {
      const hash = await repository.commit(revision)
      const [commit] = await readCommits(repository, ['--max-count=1', hash])
      if (!commit) throw new Error(`git log showed nothing of ${hash}`)
      const command = comparedWithParent(commit)
      const patch = await repository.run([...command, ...plainDiff, '--patch', '-M'])
      const [name = '', ...rest] = command
      const files = await changedFiles(repository, [name, ...rest])
      const parts = patch.text.split(/^diff --git .*\n/m).slice(1)
      const shown = parts.map((part, index) => {
        const { path = '', oldPath = path } = files[index] ?? {}
        return `\n--- ${oldPath}\n+++ ${path}\n${hunksOf(part)}`
      })
      const end = patch.isCut ? `\n[cut after ${patch.bytes.length} bytes]` : ''
      const text = describeCommit(commit) + shown.join('') + end
      return { text, data: { commit, files, isCut: patch.isCut } }
    },
  )
}

/** With its first parent, or with nothing. */
function comparedWithParent({ hash, parents: [parent] }: Commit): readonly string[] {
  const common = ['diff-tree', '-r', '--no-commit-id']
  return parent === undefined ? [...common, '--root', hash] : [...common, parent, hash]
}

/** What follows the lines about modes and names. */
function hunksOf(part: string): string {
  const start = part.search(/^(@@ |Binary files |GIT binary patch)/m)
  return start === -1 ? '' : part.slice(start)
}

import { ToolError } from '@parley/mcp'
import {
  plainDiff,
  readChangedFiles,
  readCommits,
  requirePlain,
  type Commit,
} from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, listed } from '../git-tool.ts'
import { describePatch } from '../patch.ts'
import { commitSchema, differencesSchema, isCut } from '../schemas.ts'

const timestamp = z
  .string()
  .nullish()
  .describe('As ISO 8601, absolute, or relative such as "2 weeks ago" or "yesterday"')

export const gitLog = gitTool(
  'git_log',
  {
    title: 'Git Log',
    description: 'Shows the history, newest first, if wanted only between two times.',
    input: {
      max_count: z.int().min(1).max(10_000).default(10).describe('How many at most'),
      start_timestamp: timestamp.describe(`Commits after this time. ${timestamp.description}`),
      end_timestamp: timestamp.describe(`Commits before this time. ${timestamp.description}`),
    },
    output: z.object({ commits: z.array(commitSchema), isCut }),
    annotations: toolHints('reads'),
  },
  async (repository, { max_count: most, start_timestamp: start, end_timestamp: end }) => {
    if (typeof start === 'string') requirePlain(start, 'start_timestamp')
    if (typeof end === 'string') requirePlain(end, 'end_timestamp')
    const data = await readCommits(repository, [
      `--max-count=${most}`,
      ...(typeof start === 'string' ? [`--since=${start}`] : []),
      ...(typeof end === 'string' ? [`--until=${end}`] : []),
    ])
    const text = `Commit history:\n${data.commits.map(describeCommit).join('\n')}`
    return { text: listed(text, data.isCut), data }
  },
)

export const gitShow = gitTool(
  'git_show',
  {
    title: 'Git Show',
    description: 'Shows a commit: who, when, why, and what it changed.',
    input: { revision: z.string().describe('A branch, tag or commit') },
    output: z.object({ commit: commitSchema, ...differencesSchema.shape }),
    annotations: toolHints('reads'),
  },
  async (repository, { revision }) => {
    const hash = await repository.commit(revision)
    const { commits } = await readCommits(repository, ['--max-count=1', hash])
    const [commit] = commits
    if (!commit) throw new ToolError('The message of this commit is too large to be shown.')
    const command = comparedWithParent(commit)
    const patch = await repository.run([...command, ...plainDiff, '--patch', '-M'])
    const changed = await readChangedFiles(repository, command)
    const shown = describePatch(patch, changed.files) ?? `\n${patch.text}`
    const end = patch.isCut ? `\n[cut after ${patch.bytes.length} bytes]` : ''
    const data = { commit, files: changed.files, isCut: patch.isCut || changed.isCut }
    return { text: describeCommit(commit) + shown + end, data }
  },
)

/** As the reference shows one, with plain values. */
function describeCommit({ hash, author, email, date, message }: Commit): string {
  return `Commit: ${hash}\nAuthor: ${author} <${email}>\nDate: ${date}\nMessage: ${message}\n`
}

/** With its first parent, or with nothing. */
function comparedWithParent({ hash, parents: [parent] }: Commit): readonly string[] {
  const common = ['diff-tree', '-r', '--no-commit-id']
  return parent === undefined ? [...common, '--root', hash] : [...common, parent, hash]
}

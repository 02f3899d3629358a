import type { Feature } from '@parley/mcp/server'
import { requirePlain } from '@parley/server-kit/git'
import { z } from 'zod'

import { commitSchema, describeCommit, readCommits } from '../commits.ts'
import { looksOnly } from '../hints.ts'
import type { Repositories } from '../repositories.ts'
import { readStatus, statusSchema } from '../status.ts'
import { repositoryTool, said } from '../tool-kit.ts'

/** `git_status`. */
export function statusTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
    'git_status',
    {
      title: 'Git Status',
      description: 'Shows the state of the work tree: what is staged, changed and untracked.',
      input: {},
      output: statusSchema,
      annotations: looksOnly,
    },
    async (repository) => {
      const status = await repository.run(['status', '--ignore-submodules=dirty'])
      return { text: `Repository status:\n${said(status)}`, data: await readStatus(repository) }
    },
  )
}

const timestamp = 'As ISO 8601, absolute, or relative such as "2 weeks ago" or "yesterday"'

/** `git_log`. */
export function logTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
    'git_log',
    {
      title: 'Git Log',
      description: 'Shows the history, newest first, if wanted only between two times.',
      input: {
        max_count: z.int().min(1).max(10_000).default(10).describe('How many at most'),
        start_timestamp: z.string().nullish().describe(`Commits after this time. ${timestamp}`),
        end_timestamp: z.string().nullish().describe(`Commits before this time. ${timestamp}`),
      },
      output: z.object({ commits: z.array(commitSchema) }),
      annotations: looksOnly,
    },
    async (repository, { max_count: most, start_timestamp: start, end_timestamp: end }) => {
      if (typeof start === 'string') requirePlain(start, 'start_timestamp')
      if (typeof end === 'string') requirePlain(end, 'end_timestamp')
      const commits = await readCommits(repository, [
        `--max-count=${most}`,
        ...(typeof start === 'string' ? [`--since=${start}`] : []),
        ...(typeof end === 'string' ? [`--until=${end}`] : []),
      ])
      const text = `Commit history:\n${commits.map(describeCommit).join('\n')}`
      return { text, data: { commits } }
    },
  )
}

import { ToolError } from '@parley/mcp'
import { readBlame } from '@parley/server-kit/git'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { gitTool, listed } from '../git-tool.ts'
import { isCut } from '../schemas.ts'

const line = z.object({
  line: z.int(),
  hash: z.string(),
  author: z.string(),
  date: z.string(),
  text: z.string(),
})

/** `git_blame`: which commit each line of a file is from. */
export const gitBlame = gitTool(
  'git_blame',
  {
    title: 'Git Blame',
    description: 'Shows who last changed each line of a file, in which commit.',
    input: {
      path: z.string().describe('From the top of the work tree'),
      revision: z.string().default('HEAD').describe('A branch, tag or commit'),
      start_line: z.int().min(1).default(1).describe('The first line, from 1'),
      end_line: z.int().min(1).optional().describe('The last line; that of the file, unless said'),
    },
    output: z.object({ lines: z.array(line), isCut }),
    annotations: toolHints('reads'),
  },
  async (repository, { path, revision, start_line: start, end_line: end }) => {
    const [file = ''] = await repository.paths([path])
    if (end !== undefined && end < start) throw new ToolError('end_line is before start_line.')
    const commit = await repository.commit(revision)
    const data = await readBlame(repository, { path: file, commit, start, end })
    const shown = data.lines.map((item) => {
      const { hash, author, date } = item
      return `${hash.slice(0, 8)} (${author} ${date} ${item.line}) ${item.text}`
    })
    return { text: listed(shown.join('\n'), data.isCut), data }
  },
)

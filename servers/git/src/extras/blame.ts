import { ToolError } from '@parley/mcp'
import type { Feature } from '@parley/mcp/server'
import { z } from 'zod'

import { looksOnly } from '../hints.ts'
import type { Repositories } from '../repositories.ts'
import { repositoryTool } from '../tool-kit.ts'

const line = z.object({
  line: z.int(),
  hash: z.string(),
  author: z.string(),
  date: z.string(),
  text: z.string(),
})

/** `git_blame`: which commit each line of a file is from. */
export function blameTool(repositories: Repositories): Feature {
  return repositoryTool(
    repositories,
    'git_blame',
    {
      title: 'Git Blame',
      description: 'Shows who last changed each line of a file, in which commit.',
      input: {
        path: z.string().describe('From the top of the work tree'),
        revision: z.string().default('HEAD'),
        start_line: z.int().min(1).default(1),
        end_line: z.int().min(1).optional(),
      },
      output: z.object({ lines: z.array(line) }),
      annotations: looksOnly,
    },
    async (repository, { path, revision, start_line: start, end_line: end }) => {
      const [file = ''] = await repository.paths([path])
      if (end !== undefined && end < start) throw new ToolError('end_line is before start_line.')
      const { text, isCut } = await repository.run([
        'blame',
        '--line-porcelain',
        '--no-textconv',
        '-L',
        `${start},${end ?? ''}`,
        await repository.commit(revision),
        '--',
        file,
      ])
      const lines = parseBlame(text)
      const shown = lines.map((one) => {
        const { hash, author, date } = one
        return `${hash.slice(0, 8)} (${author} ${date} ${one.line}) ${one.text}`
      })
      return { text: shown.join('\n') + (isCut ? '\n[cut]' : ''), data: { lines } }
    },
  )
}

function parseBlame(text: string): z.infer<typeof line>[] {
  const lines: z.infer<typeof line>[] = []
  let current = { hash: '', line: 0, author: '', date: '' }
  for (const entry of text.split('\n')) {
    const [, hash, number] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(entry) ?? []
    if (entry.startsWith('\t')) lines.push({ ...current, text: entry.slice(1) })
    else if (hash !== undefined) current = { ...current, hash, line: Number(number) }
    else if (entry.startsWith('author ')) current.author = entry.slice(7)
    else if (entry.startsWith('author-time ')) {
      current.date = new Date(Number(entry.slice(12)) * 1000).toISOString().slice(0, 10)
    }
  }
  return lines
}

import type { Repository } from '@parley/server-kit/git'
import { z } from 'zod'

const files = z.array(z.string())

/** What is where. */
export const statusSchema = z.object({
  branch: z.string().optional().describe('Absent when no branch is checked out'),
  head: z.string().optional().describe('Absent before the first commit'),
  upstream: z.string().optional(),
  ahead: z.int().optional(),
  behind: z.int().optional(),
  staged: files,
  unstaged: files,
  untracked: files,
  conflicted: files,
})

/** The state of the work tree as data. */
export async function readStatus(repository: Repository): Promise<z.infer<typeof statusSchema>> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=dirty']
  const { text } = await repository.run(args)
  const status: z.infer<typeof statusSchema> = {
    staged: [],
    unstaged: [],
    untracked: [],
    conflicted: [],
  }
  const entries = text.split('\0')
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? ''
    const [kind = '', states = ''] = entry.split(' ', 2)
    if (kind === '#') readHeader(entry, status)
    else if (kind === '?') status.untracked.push(entry.slice(2))
    else if (kind === 'u') status.conflicted.push(fieldsAfter(entry, 10))
    else if (kind === '1' || kind === '2') {
      const path = fieldsAfter(entry, kind === '1' ? 8 : 9)
      if (!states.startsWith('.')) status.staged.push(path)
      if (!states.endsWith('.')) status.unstaged.push(path)
      if (kind === '2') index += 1 // the name before
    }
  }
  return status
}

function readHeader(entry: string, status: z.infer<typeof statusSchema>): void {
  const [, name, value = '', more = ''] = entry.split(' ')
  if (name === 'branch.head' && value !== '(detached)') status.branch = value
  if (name === 'branch.oid' && value !== '(initial)') status.head = value
  if (name === 'branch.upstream') status.upstream = value
  if (name === 'branch.ab') Object.assign(status, { ahead: Number(value), behind: -Number(more) })
}

/** A path may have spaces; the fields before it have none. */
function fieldsAfter(entry: string, count: number): string {
  return entry.split(' ').slice(count).join(' ')
}

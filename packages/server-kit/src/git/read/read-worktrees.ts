import type { Repository } from '../repository.ts'
import { entriesOf } from './entries.ts'

/** One of the work trees of a repository. */
export interface Worktree {
  /** Where it is. */
  readonly path: string
  /** The commit that is checked out; absent in a bare repository. */
  readonly hash?: string
  /** Absent when no branch is checked out. */
  readonly branch?: string
}

/** The work trees of a repository, the main one first. */
export async function readWorktrees(
  repository: Repository,
): Promise<{ readonly worktrees: readonly Worktree[]; readonly isCut: boolean }> {
  const { text, isCut } = await repository.run(['worktree', 'list', '--porcelain', '-z'])
  const worktrees = entriesOf(text, '\0\0').map((block) => {
    const fields = new Map(block.split('\0').map((field) => splitOnce(field)))
    const hash = fields.get('HEAD')
    const branch = fields.get('branch')?.replace('refs/heads/', '')
    const path = fields.get('worktree') ?? ''
    return { path, ...(hash !== undefined && { hash }), ...(branch !== undefined && { branch }) }
  })
  return { worktrees, isCut }
}

function splitOnce(field: string): [string, string] {
  const end = field.indexOf(' ')
  return end === -1 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)]
}

import type { Repository } from '../repository.ts'
import { entriesOf } from './entries.ts'

/** One branch, of this repository or of a remote. */
export interface Branch {
  /** Its short name, such as `main` or `origin/main`. */
  readonly name: string
  /** The commit that it points to. */
  readonly hash: string
  /** It is checked out. */
  readonly isCurrent: boolean
  /** It is a branch of a remote, as it was last fetched. */
  readonly isRemote: boolean
}

/** Branches, by further arguments of `git branch`, such as `--all`. */
export async function readBranches(
  repository: Repository,
  args: readonly string[] = [],
): Promise<{ readonly branches: readonly Branch[]; readonly isCut: boolean }> {
  const format = '--format=%(HEAD)%00%(refname)%00%(objectname)'
  const { text, isCut } = await repository.run(['branch', format, ...args])
  const branches = entriesOf(text, '\n').flatMap((line) => {
    const [head, ref = '', hash = ''] = line.split('\0')
    const [, kind, name] = /^refs\/(heads|remotes)\/(.+)$/s.exec(ref) ?? []
    if (name === undefined) return [] // no branch is checked out
    return [{ name, hash, isCurrent: head === '*', isRemote: kind === 'remotes' }]
  })
  return { branches, isCut }
}

/** The name of the branch that is checked out; undefined if none is. */
export async function currentBranch(repository: Repository): Promise<string | undefined> {
  const args = ['symbolic-ref', '--quiet', '--short', 'HEAD']
  const { text } = await repository.run(args, { accept: [1] })
  return text.trim() || undefined
}

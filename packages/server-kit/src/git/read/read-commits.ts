import type { Repository } from '../repository.ts'
import { entriesOf } from './entries.ts'

/** One commit. */
export interface Commit {
  /** Its full hash. */
  readonly hash: string
  /** Who wrote it. */
  readonly author: string
  /** The author's address. */
  readonly email: string
  /** Of the author, ISO 8601. */
  readonly date: string
  /** The whole message. */
  readonly message: string
  /** Hashes of its parents; none for the first commit. */
  readonly parents: readonly string[]
}

const format = '--format=tformat:%H%x00%an%x00%ae%x00%aI%x00%P%x00%B'
const fieldCount = 6

/** Commits, by further arguments of `git log`, such as `--max-count=10`. */
export async function readCommits(
  repository: Repository,
  args: readonly string[],
): Promise<{ readonly commits: readonly Commit[]; readonly isCut: boolean }> {
  const { text, isCut } = await repository.run([
    'log',
    '-z',
    '--no-show-signature',
    format,
    ...args,
  ])
  const fields = entriesOf(text)
  const count = Math.floor(fields.length / fieldCount)
  const commits = Array.from({ length: count }, (_, index) => {
    const start = index * fieldCount
    const [hash = '', author = '', email = '', date = '', parents = '', message = ''] =
      fields.slice(start, start + fieldCount)
    return {
      hash,
      author,
      email,
      date,
      message: message.trimEnd(),
      parents: parents === '' ? [] : parents.split(' '),
    }
  })
  return { commits, isCut }
}

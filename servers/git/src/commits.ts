import type { Repository } from '@parley/server-kit/git'
import { z } from 'zod'

/** One commit. */
export const commitSchema = z.object({
  hash: z.string(),
  author: z.string(),
  email: z.string(),
  date: z.string(),
  message: z.string(),
  parents: z.array(z.string()),
})
export type Commit = z.infer<typeof commitSchema>

const format = '--format=tformat:%H%x00%an%x00%ae%x00%aI%x00%P%x00%B'
const fieldCount = 6

/** Commits, by the arguments of `git log`. */
export async function readCommits(
  repository: Repository,
  args: readonly string[],
): Promise<Commit[]> {
  const { text, isCut } = await repository.run([
    'log',
    '-z',
    '--no-show-signature',
    format,
    ...args,
  ])
  const fields = text.split('\0')
  const count = Math.floor(fields.length / fieldCount) - (isCut ? 1 : 0)
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
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
}

/** As the reference shows one, with plain values. */
export function describeCommit({ hash, author, email, date, message }: Commit): string {
  return `Commit: ${hash}\nAuthor: ${author} <${email}>\nDate: ${date}\nMessage: ${message}\n`
}

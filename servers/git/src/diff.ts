import type { Repository } from '@parley/server-kit/git'
import { z } from 'zod'

/** For every command that shows differences: no programs of others, no looking into submodules. */
export const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--submodule=short',
  '--ignore-submodules=dirty',
]

/** How many lines of one file came and went. */
export const changedFile = z.object({
  path: z.string(),
  oldPath: z.string().optional().describe('Before it was renamed'),
  added: z.int().optional().describe('Lines; absent for binary files'),
  deleted: z.int().optional(),
})
export type ChangedFile = z.infer<typeof changedFile>

/** The files that differ, for any command that takes `--numstat`. */
export async function changedFiles(
  repository: Repository,
  command: readonly string[],
): Promise<ChangedFile[]> {
  const [name = 'diff', ...rest] = command
  const { text } = await repository.run([name, ...plainDiff, '--numstat', '-z', '-M', ...rest])
  return parseNumstat(text)
}

function parseNumstat(text: string): ChangedFile[] {
  const parts = text.split('\0')
  const files: ChangedFile[] = []
  for (let index = 0; index < parts.length; index += 1) {
    const match = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(parts[index] ?? '')
    if (!match) continue
    const [, added, deleted, name = ''] = match
    const counts = added === '-' ? {} : { added: Number(added), deleted: Number(deleted) }
    if (name !== '') files.push({ path: name, ...counts })
    else {
      // A rename: the names follow.
      files.push({ path: parts[index + 2] ?? '', oldPath: parts[index + 1] ?? '', ...counts })
      index += 2
    }
  }
  return files
}

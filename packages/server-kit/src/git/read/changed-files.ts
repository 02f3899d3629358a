import type { Repository } from '../repository.ts'
import { entriesOf } from './entries.ts'

/** For every command that shows differences: no programs of others, no looking into submodules. */
export const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--submodule=short',
  '--ignore-submodules=dirty',
]

/** How many lines of one file came and went. */
export interface ChangedFile {
  /** From the root of the repository. */
  readonly path: string
  /** Before it was renamed. */
  readonly oldPath?: string
  /** Lines; absent for binary files. */
  readonly added?: number
  /** Lines; absent for binary files. */
  readonly deleted?: number
}

/** The files that differ, by a command that takes `--numstat`, such as `diff` or `diff-tree`. */
export async function readChangedFiles(
  repository: Repository,
  command: readonly string[],
): Promise<{ readonly files: readonly ChangedFile[]; readonly isCut: boolean }> {
  const [name = 'diff', ...rest] = command
  const args = [name, ...plainDiff, '--numstat', '-z', '-M', ...rest]
  const { text, isCut } = await repository.run(args)
  return { files: parseNumstat(text), isCut }
}

function parseNumstat(text: string): ChangedFile[] {
  const parts = entriesOf(text)
  const files: ChangedFile[] = []
  for (let index = 0; index < parts.length; index += 1) {
    const match = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(parts[index] ?? '')
    if (!match) continue
    const [, added, deleted, name = ''] = match
    const counts = added === '-' ? {} : { added: Number(added), deleted: Number(deleted) }
    if (name !== '') files.push({ path: name, ...counts })
    else {
      // A rename: the names follow.
      const [oldPath = '', path] = parts.slice(index + 1, index + 3)
      if (path !== undefined) files.push({ path, oldPath, ...counts })
      index += 2
    }
  }
  return files
}

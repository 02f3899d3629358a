import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'

/** Those of the files that git has changes of, or does not know: a change could not be taken back. */
export async function findUncommitted(files: readonly string[]): Promise<readonly string[]> {
  const states = await Promise.all(files.map(isUncommitted))
  return files.filter((_, at) => states[at])
}

/** Outside of a repository nothing is uncommitted. */
function isUncommitted(file: string): Promise<boolean> {
  const args = ['status', '--porcelain', '--ignored', '--', basename(file)]
  return new Promise((resolve) => {
    execFile('git', args, { cwd: dirname(file), timeout: 30_000 }, (error, stdout) => {
      resolve(error === null && stdout.trim() !== '')
    })
  })
}

import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'

import { resolveCommand } from '@parley/mcp/system'

/** Those of the files that git has changes of, or does not know: a change could not be taken back. */
export async function findUncommitted(files: readonly string[]): Promise<readonly string[]> {
  const states = await Promise.all(files.map(isUncommitted))
  return files.filter((_, at) => states[at])
}

/** Outside of a repository, and without git, nothing is uncommitted. */
function isUncommitted(file: string): Promise<boolean> {
  const args = ['status', '--porcelain', '--ignored', '--', basename(file)]
  const git = resolveCommand('git', args)
  if (git.kind !== 'found') return Promise.resolve(false)
  const options = {
    cwd: dirname(file),
    timeout: 30_000,
    windowsHide: true,
    windowsVerbatimArguments: git.isVerbatim,
  }
  return new Promise((resolve) => {
    execFile(git.file, git.args, options, (error, stdout) => {
      resolve(error === null && stdout.trim() !== '')
    })
  })
}

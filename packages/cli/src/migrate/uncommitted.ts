import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve as resolvePath } from 'node:path'
import process from 'node:process'

import { findProgram, resolveCommand } from '@parley/mcp/system'

/** Returns the files that git has changes of, or does not know: a change could not be taken back. */
export async function findUncommitted(files: readonly string[]): Promise<readonly string[]> {
  const states = await Promise.all(files.map(isUncommitted))
  return files.filter((_, at) => states[at])
}

/** Outside of a repository nothing is uncommitted. Inside of one, what git cannot say counts as uncommitted. */
async function isUncommitted(file: string): Promise<boolean> {
  const folder = dirname(resolvePath(file))
  if (!isInRepository(folder)) return false
  if (findProgram('git').kind === 'missing') return true
  const keys = await runGit(folder, ['config', '--null', '--name-only', '--list'])
  if (keys === undefined) return true // settings that cannot be read cannot be made harmless
  const filters = keys.split('\0').filter((key) => key.startsWith('filter.'))
  // `-c` cannot name such a key, and its program must not run.
  if (filters.some((key) => key.includes('='))) return true
  const off = filters.flatMap((key) => [
    '-c',
    key.endsWith('.required') ? `${key}=false` : `${key}=`,
  ])
  const status =
    'status --porcelain --ignored --untracked-files=all --ignore-submodules=all --'.split(' ')
  const changes = await runGit(folder, [...off, ...status, basename(file)])
  return changes === undefined || changes.trim() !== ''
}

function isInRepository(folder: string): boolean {
  const parent = dirname(folder)
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent))
}

/** Runs git so that no program runs that the repository names. Undefined if git is missing or fails. */
function runGit(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const git = resolveCommand('git', [...harmless, ...args])
  if (git.kind !== 'found') return Promise.resolve(undefined)
  const options = {
    cwd,
    timeout: 30_000,
    maxBuffer: 16 * 1024 * 1024,
    windowsHide: true,
    windowsVerbatimArguments: git.isVerbatim,
    env: {
      ...process.env,
      GIT_OPTIONAL_LOCKS: '0', // writing the index would run a hook
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
      ...(process.platform === 'win32' && { NoDefaultCurrentDirectoryInExePath: '1' }),
    },
  }
  return new Promise((resolve) => {
    execFile(git.file, git.args, options, (error, stdout) => {
      resolve(error === null ? stdout : undefined)
    })
  })
}

const harmless = ['core.fsmonitor=', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit']
  .flatMap((setting) => ['-c', setting])
  .concat('--no-pager', '--literal-pathspecs')

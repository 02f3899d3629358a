import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { GitError } from './git-error.ts'
import type { Include } from './includes.ts'
import { readOwnSettings } from './own-settings.ts'
import type { GitOutput } from './run-git.ts'

/** Runs git in a folder, by the settings of whatever repository is there. */
export type RunIn = (folder: string, args: readonly string[]) => Promise<GitOutput>

/** The names of settings, and the files they are taken from. */
export interface SubmoduleSettings {
  readonly keys: readonly string[]
  readonly includes: readonly Include[]
}

/** Commands that never look into a submodule. */
const neverInside = new Set([
  'blame',
  'branch',
  'cat-file',
  'config',
  'diff-tree',
  'for-each-ref',
  'log',
  'ls-files',
  'ls-tree',
  'remote',
  'rev-parse',
  'show',
  'symbolic-ref',
  'tag',
])
const mostLevels = 8

/**
 * Whether a command may run git in submodules, as `add` does to find out whether they changed. There it would go by
 * settings of theirs, which ours do not know.
 */
export function looksIntoSubmodules([command = '', ...rest]: readonly string[]): boolean {
  if (neverInside.has(command)) return false
  return !rest.some((one) => /^--ignore-submodules(=all|=dirty)?$/.test(one))
}

/** What submodules say of themselves, and those in them. */
export async function readSubmodules(
  workTree: string,
  run: RunIn,
  level = 1,
): Promise<SubmoduleSettings> {
  const keys: string[] = []
  const includes: Include[] = []
  for (const path of await linkedPaths(workTree, run)) {
    const folder = join(workTree, path)
    if (!existsSync(join(folder, '.git'))) continue
    if (level > mostLevels) throw new GitError('refused', `${workTree} has submodules too deep.`)
    const own = await readOwnSettings(folder, (args) => run(folder, args))
    const below = await readSubmodules(folder, run, level + 1)
    keys.push(...own.all.keys(), ...below.keys)
    includes.push(...own.includes, ...below.includes)
  }
  return { keys, includes }
}

/** Paths that stand for a commit of another repository. */
async function linkedPaths(workTree: string, run: RunIn): Promise<readonly string[]> {
  const { text, isCut, exitCode } = await run(workTree, ['ls-files', '--stage', '-z'])
  if (isCut) throw new GitError('refused', `${workTree} has too many files.`)
  if (exitCode !== 0) return [] // no repository, so nothing runs there
  return text
    .split('\0')
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1))
}

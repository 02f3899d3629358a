import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Setting } from './environment.ts'
import { GitError } from './git-error.ts'
import type { GitOutput } from './run-git.ts'
import { neutralised } from './safe-settings.ts'
import { parseSettings } from './settings-list.ts'

/** Runs git in a folder, by the settings of whatever repository is there. */
export type RunIn = (folder: string, args: readonly string[]) => Promise<GitOutput>

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

/** What makes the settings of all submodules harmless, and of theirs. */
export async function submoduleSettings(
  workTree: string,
  run: RunIn,
  level = 1,
): Promise<readonly Setting[]> {
  const settings: Setting[] = []
  for (const path of await linkedPaths(workTree, run)) {
    const folder = join(workTree, path)
    if (!existsSync(join(folder, '.git'))) continue
    if (level > mostLevels) throw new GitError('refused', `${workTree} has submodules too deep.`)
    const { text, exitCode, isCut } = await run(folder, ['config', '--list', '-z'])
    if (exitCode !== 0 || isCut) {
      throw new GitError('refused', `The settings of the submodule ${folder} cannot be read.`)
    }
    settings.push(...neutralised(parseSettings(text).map(([key]) => key)))
    settings.push(...(await submoduleSettings(folder, run, level + 1)))
  }
  return settings
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

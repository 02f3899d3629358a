import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { isInside } from '../../paths/containment.ts'
import { GitError } from '../git-error.ts'
import { gitDirectoryOf } from '../git-file.ts'
import type { GitOutput } from '../run-git.ts'
import { realOrParent } from '../work-tree-path.ts'
import type { Include } from './includes.ts'
import { readLocalSettings } from './own-settings.ts'

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
const maxLevels = 8

/**
 * What a command has to know of the submodules. Throws if one is kept outside of `allowed`: git would tell which commit
 * another repository is at.
 */
export async function readSubmodulesFor(
  args: readonly string[],
  workTree: string,
  run: RunIn,
  allowed: readonly string[],
): Promise<SubmoduleSettings> {
  const [command = ''] = args
  if (neverInside.has(command)) return nothing
  if (looksInside(args)) return readSubmodules(workTree, run, allowed)
  for (const path of await linkedPaths(workTree, run)) {
    await requireWithin(join(workTree, path), allowed)
  }
  return nothing
}

const nothing: SubmoduleSettings = { keys: [], includes: [] }

/**
 * Whether a command may run git in submodules, as `add` does to find out whether they changed. There it would go by
 * settings of theirs, which ours do not know.
 */
function looksInside(args: readonly string[]): boolean {
  return !args.some((argument) => /^--ignore-submodules(=all|=dirty)?$/.test(argument))
}

/** What submodules say of themselves, and those in them. All must be kept in `allowed`. */
async function readSubmodules(
  workTree: string,
  run: RunIn,
  allowed: readonly string[],
  level = 1,
): Promise<SubmoduleSettings> {
  const keys: string[] = []
  const includes: Include[] = []
  for (const path of await linkedPaths(workTree, run)) {
    const folder = join(workTree, path)
    if (!existsSync(join(folder, '.git'))) continue
    if (level > maxLevels) throw new GitError('refused', `${workTree} has submodules too deep.`)
    const gitDirectory = await requireWithin(folder, allowed)
    const own = await readLocalSettings(folder, (args) => run(folder, args))
    await requireOwnWorkTree(folder, gitDirectory, own.all.get('core.worktree'))
    const below = await readSubmodules(folder, run, allowed, level + 1)
    keys.push(...own.all.keys(), ...below.keys)
    includes.push(...own.includes, ...below.includes)
  }
  return { keys, includes }
}

/** The git directory of a submodule, if it is there. */
async function requireWithin(
  folder: string,
  allowed: readonly string[],
): Promise<string | undefined> {
  const real = await realOrParent(folder)
  const gitDirectory = await gitDirectoryOf(real)
  const unexpected = [real, gitDirectory].find(
    (path) => path !== undefined && !allowed.some((candidate) => isInside(path, candidate)),
  )
  if (unexpected === undefined) return gitDirectory
  const message = `The submodule at ${folder} is kept in ${unexpected}, outside the repository.`
  throw new GitError('outside', message)
}

async function requireOwnWorkTree(
  folder: string,
  gitDirectory: string | undefined,
  named: string | undefined,
): Promise<void> {
  if (named === undefined || gitDirectory === undefined) return
  const real = await realOrParent(resolve(gitDirectory, named))
  if (real === (await realOrParent(folder))) return
  const message = `The submodule at ${folder} names ${real} as its work tree. Remove core.worktree from its settings.`
  throw new GitError('outside', message)
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

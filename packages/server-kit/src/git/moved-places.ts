import { resolve } from 'node:path'

import { isInside } from '../paths/containment.ts'
import { GitError } from './git-error.ts'
import { parseSettingKey } from './settings/setting-key.ts'
import { realOrParent } from './work-tree-path.ts'

/**
 * Throws if a setting keeps part of the repository outside of `allowed`. These cannot be overridden: git reads them from
 * the repository's own file alone, or needs them.
 */
export async function requireUnmoved(
  settings: ReadonlyMap<string, string>,
  workTree: string,
  allowed: readonly string[],
): Promise<void> {
  for (const [key, value] of settings) {
    const named = namedPlace(key, value)
    if (named === undefined) continue
    const real = await realOrParent(resolve(workTree, named))
    if (!allowed.some((folder) => isInside(real, folder))) throw moved(key, real)
  }
}

function namedPlace(key: string, value: string): string | undefined {
  const { section, name } = parseSettingKey(key)
  if (section === 'submodule' && name === 'gitdir') return value
  // A format alone is a word, such as `reftable`; with an address the references are kept there.
  if (section === 'extensions' && name === 'refstorage') return value.split('://')[1]
  return undefined
}

function moved(key: string, path: string): GitError {
  const message = `This repository sets ${key} to ${path}, which is outside of it. Remove it first.`
  return new GitError('outside', message)
}

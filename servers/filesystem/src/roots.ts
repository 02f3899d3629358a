import { fileURLToPath } from 'node:url'

import {
  directoryOf,
  findDirectory,
  isInside,
  readDirectoryRequest,
  type AllowedDirectory,
} from '@parley/server-kit/paths'

import type { RootsRule } from './settings.ts'

/** The directories a client's roots stand for; those that do not exist, or may not be used, are left out. */
export async function directoriesFromRoots(
  roots: readonly { readonly uri: string }[],
  allowed: readonly AllowedDirectory[],
  { rule, isReadOnly }: { readonly rule: RootsRule; readonly isReadOnly: boolean },
): Promise<readonly AllowedDirectory[]> {
  const found: AllowedDirectory[] = []
  for (const { uri } of roots) {
    const root = await findRoot(uri)
    if (root === undefined) continue
    // What may only be read is only read, by whatever name it comes.
    const around = directoryOf(root.realPath, allowed)
    const own = { ...root, isReadOnly: isReadOnly || (around?.isReadOnly ?? false) }
    if (rule === 'replace' || around !== undefined) found.push(own)
    if (rule === 'narrow' || rule === 'replace') {
      const inner = allowed.filter(({ realPath }) => isBelow(realPath, root.realPath))
      found.push(...inner.filter((one) => rule === 'narrow' || one.isReadOnly))
    }
  }
  return found
}

async function findRoot(uri: string): Promise<AllowedDirectory | undefined> {
  try {
    const path = /^file:/i.test(uri) ? fileURLToPath(uri) : uri
    return await findDirectory({ path: readDirectoryRequest(path).path, isReadOnly: false })
  } catch {
    return undefined // not here, no directory, or no path
  }
}

function isBelow(path: string, directory: string): boolean {
  return path !== directory && isInside(path, directory)
}

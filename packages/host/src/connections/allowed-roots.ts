import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders with keys. They are not shared with servers unless the list is replaced. */
export const sensitiveFolders: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  join('.config', 'gcloud'),
  join('.local', 'share', 'keyrings'),
  // macOS
  join('Library', 'Keychains'),
  // Windows
  ...['gnupg', 'gcloud'].map((name) => join('AppData', 'Roaming', name)),
  ...['Credentials', 'Crypto', 'Protect'].map((name) =>
    join('AppData', 'Roaming', 'Microsoft', name),
  ),
  join('AppData', 'Local', 'Microsoft', 'Credentials'),
].map((name) => join(homedir(), name))

/** The roots without those that are, or lie within, an excluded folder. */
export function allowedRoots(
  roots: readonly string[],
  excluded: readonly string[],
): readonly string[] {
  return roots.filter((root) => {
    const path = pathOf(root)
    return path === undefined || !excluded.some((folder) => isWithin(path, folder))
  })
}

/** Returns the path of a root; undefined if it is not on this machine. */
export function pathOf(root: string): string | undefined {
  try {
    return /^file:/i.test(root) ? fileURLToPath(root) : resolve(root)
  } catch {
    return undefined // not a path of this machine; who sends it says what is wrong
  }
}

/** Case and Unicode form do not keep a folder out: most volumes of macOS and Windows ignore them. */
function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [path, resolve(folder)].map((item) => item.normalize('NFC').toLowerCase())
  return inner === outer || inner?.startsWith(`${outer}${sep}`) === true
}

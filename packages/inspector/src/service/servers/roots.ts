import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The roots that are no folders one can read, each with the reason. */
export async function checkRoots(
  roots: readonly string[],
): Promise<readonly { readonly root: string; readonly why: string }[]> {
  const checked = await Promise.all(roots.map(async (root) => ({ root, why: await faultOf(root) })))
  return checked.flatMap(({ root, why }) => (why === undefined ? [] : [{ root, why }]))
}

async function faultOf(root: string): Promise<string | undefined> {
  try {
    const path = root.startsWith('file:') ? fileURLToPath(root) : root
    if (!(await stat(path)).isDirectory()) return 'is not a folder'
    await access(path, constants.R_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // of the file system, or of the URL
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
    if (code === 'EACCES' || code === 'EPERM') return 'cannot be read'
    return 'is not the address of a folder'
  }
}

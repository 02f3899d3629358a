import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Rejects with what is wrong with a folder that servers would be told of: it has to be there, and readable. */
export async function checkFolder(root: string): Promise<void> {
  const path = root.startsWith('file:') ? fileURLToPath(root) : root
  if (!isAbsolute(path)) throw new Error(`${root} is not a whole path: begin with / or a drive`)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new Error(`there is no folder ${root}`)
  if (!found.isDirectory()) throw new Error(`${root} is a file: name a folder`)
  await access(path, constants.R_OK | constants.X_OK).catch(() => {
    throw new Error(`you may not read the folder ${root}`)
  })
}

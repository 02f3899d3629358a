import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

import { errorMessage } from '@parley/mcp/json'

/** Rejects with what is wrong with a folder that servers would be told of: it has to be there, and readable. */
export async function checkFolder(root: string): Promise<void> {
  const path = /^file:/i.test(root) ? fileURLToPath(root) : root
  if (!isAbsolute(path)) throw new Error(`${root} is not a whole path: begin with / or a drive`)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new Error(`there is no folder ${root}`)
  if (!found.isDirectory()) throw new Error(`${root} is a file: name a folder`)
  await access(path, constants.R_OK | constants.X_OK).catch(() => {
    throw new Error(`you may not read the folder ${root}`)
  })
}

/** What is wrong with each folder that cannot be used any more, such as one that was removed. */
export async function folderProblems(
  roots: readonly string[],
): Promise<{ readonly [root: string]: string }> {
  const found = await Promise.all(
    roots.map(async (root): Promise<readonly [string, string] | undefined> => {
      try {
        await checkFolder(root)
        return undefined
      } catch (error) {
        return [root, errorMessage(error)]
      }
    }),
  )
  return Object.fromEntries(found.filter((candidate) => candidate !== undefined))
}

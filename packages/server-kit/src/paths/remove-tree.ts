import { lstat, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { AllowedDirectory } from './allowed-directory.ts'
import { openDirectory, type JailedDirectory } from './jailed-directory.ts'

/**
 * Removes a file, a link or a directory with all that is in it. Each directory is held open while its entries go, so a
 * link that takes its place is not followed.
 */
export async function removeTree(
  parent: JailedDirectory,
  name: string,
  directories: readonly AllowedDirectory[],
): Promise<void> {
  const target = parent.at(name)
  if (!(await lstat(target)).isDirectory()) return unlink(target)
  {
    await using directory = await openDirectory(join(parent.path, name), directories)
    for (const entry of await directory.entries()) {
      await directory.doing(() => removeTree(directory, entry.name, directories))
    }
  }
  await rmdir(target)
}

import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { AllowedDirectory } from './allowed-directory.ts'
import { openDirectory } from './jailed-directory.ts'
import type { JailedPath } from './resolve-path.ts'
import { systemCode, systemError } from './system-error.ts'

/** Makes the directories a path lacks, each inside the one before: nothing is made behind a link. */
export async function createMissing(
  { path, missing }: JailedPath,
  directories: readonly AllowedDirectory[],
): Promise<void> {
  let current = missing.reduce((deeper) => dirname(deeper), path)
  for (const name of missing) {
    await using parent = await openDirectory(current, directories)
    await parent.doing(() => mkdir(parent.at(name)).catch(unlessThere))
    current = join(current, name)
  }
  try {
    await using made = await openDirectory(current, directories)
    void made
  } catch (error) {
    throw systemCode(error) === 'ENOTDIR' ? systemError('EEXIST', 'mkdir', path) : error
  }
}

/** Somebody else may have made it at the same time. */
function unlessThere(error: unknown): void {
  if (systemCode(error) !== 'EEXIST') throw error
}

import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { PathDenied } from './path-denied.ts'
import { systemCode } from './system-error.ts'

/** The name as the directory has it: macOS and others write an é in two ways. */
export async function findName(directory: string, name: string): Promise<string | undefined> {
  try {
    await lstat(join(directory, name))
    return name
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  if (isPlain(name)) return undefined
  const form = name.normalize('NFC')
  const twins = (await readdir(directory)).filter((other) => other.normalize('NFC') === form)
  if (twins.length > 1) {
    throw new PathDenied('ambiguous', `several names that look like ${name} in ${directory}`)
  }
  return twins[0]
}

/** Every normalisation leaves ASCII as it is. */
function isPlain(name: string): boolean {
  return /^[\x20-\x7e]*$/.test(name)
}

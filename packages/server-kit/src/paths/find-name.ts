import { join } from 'node:path'

import { PathDenied } from './path-denied.ts'
import type { PathSystem } from './resolve-path.ts'
import { systemCode } from './system-error.ts'

/** The name as the directory has it: macOS and others write an é in two ways. */
export async function findName(
  directory: string,
  name: string,
  { lstat, readdir }: PathSystem,
): Promise<string | undefined> {
  try {
    await lstat(join(directory, name))
    return name
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  if (isPlain(name)) return undefined
  return onlyTwin(directory, name, (await readdir(directory)).filter(sameForm(name)))
}

/** The name of something that exists as its directory lists it, whatever case or form was typed. A short name of Windows is refused. */
export async function listedName(
  directory: string,
  name: string,
  { readdir }: PathSystem,
): Promise<string> {
  const names = await readdir(directory)
  if (names.includes(name)) return name
  const isTwin = sameForm(name.toLowerCase())
  const listed = onlyTwin(
    directory,
    name,
    names.filter((other) => isTwin(other.toLowerCase())),
  )
  if (listed !== undefined) return listed
  throw new PathDenied(
    'ambiguous',
    `${name} is another name of a link in ${directory}: use its full name`,
  )
}

function onlyTwin(directory: string, name: string, twins: readonly string[]): string | undefined {
  if (twins.length < 2) return twins[0]
  throw new PathDenied('ambiguous', `several names that look like ${name} in ${directory}`)
}

function sameForm(name: string): (other: string) => boolean {
  const form = name.normalize('NFC')
  return (other) => other.normalize('NFC') === form
}

/** Every normalisation leaves ASCII as it is. */
function isPlain(name: string): boolean {
  return /^[\x20-\x7e]*$/.test(name)
}

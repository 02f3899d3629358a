import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, unlink, type FileHandle } from 'node:fs/promises'

import { replaceFile } from '@parley/mcp/system'

import type { JailedDirectory } from './jailed-directory.ts'
import { PathDenied } from './path-denied.ts'
import { systemCode } from './system-error.ts'

/** What is written: all of it at once, or by a function that writes. */
export type FileContent = string | Uint8Array | ((handle: FileHandle) => Promise<void>)

const { O_NOFOLLOW = 0 } = constants as Partial<typeof constants> // absent on Windows
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW

/**
 * Writes a file of a directory that is held open. A new file is created exclusively; an existing one is replaced as a
 * whole by a rename, so readers see the old contents or the new, and a link is replaced, never followed.
 */
export function writeFileIn(
  directory: JailedDirectory,
  name: string,
  content: FileContent,
  { mustBeNew = false }: { readonly mustBeNew?: boolean | undefined } = {},
): Promise<void> {
  return directory.doing(async () => {
    try {
      await createFile(directory, name, content, 0o666)
    } catch (error) {
      if (mustBeNew || systemCode(error) !== 'EEXIST') throw error
      await replaceContent(directory, name, content)
    }
  })
}

async function replaceContent(
  directory: JailedDirectory,
  name: string,
  content: FileContent,
): Promise<void> {
  const target = directory.at(name)
  const stats = await lstat(target)
  const mode = stats.isFile() ? stats.mode & 0o7777 : 0o600 // a link has come in between
  const temporaryName = `.${randomBytes(12).toString('hex')}.tmp` // whatever the other, not too long
  const temporary = directory.at(temporaryName)
  await createFile(directory, temporaryName, content, 0o600, mode)
  try {
    await replaceFile(temporary, target)
  } catch (error) {
    await unlink(temporary)
    throw error
  }
}

/** Nothing is left behind if it cannot be written, and nothing is written if it is not where it should be. */
async function createFile(
  directory: JailedDirectory,
  name: string,
  content: FileContent,
  mode: number,
  finalMode?: number,
): Promise<void> {
  const path = directory.at(name)
  const handle = await open(path, createFlags, mode)
  try {
    await directory.confirm(handle, name)
    if (typeof content === 'function') await content(handle)
    else await handle.writeFile(content)
    if (finalMode !== undefined) await handle.chmod(finalMode)
    await handle.close()
  } catch (error) {
    await handle.close()
    // Not what is elsewhere: that may be somebody else's by now.
    if (!(error instanceof PathDenied)) await unlink(path)
    throw error
  }
}

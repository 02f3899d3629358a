/**
 * Reads and writes configuration files that other programs write too. A change is written only onto the text it was made from, in one
 * step: a file that another program has changed meanwhile stays as that program left it, and so does one that the disk has no room for.
 */

import { open, readFile, realpath, stat, unlink } from 'node:fs/promises'

import type { ConfigEdit } from '@parley/foundation/config'
import { replaceFile } from '@parley/mcp/system'

import { CliError } from '../exit.ts'

/** The text of a file, empty if there is none. One that cannot be read is an error: it must not be overwritten. */
export async function readConfigText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
}

/** Writes a change. Follows a link, and keeps the rights of the file. */
export async function saveEdit({ file, before, after }: ConfigEdit): Promise<void> {
  if ((await readConfigText(file)) !== before) {
    throw new CliError('error', `${file} was changed by another program; nothing was written`, {
      hint: 'Run the command again: it reads the file anew.',
    })
  }
  const path = await realpath(file).catch(() => file)
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0o666,
  )
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  const handle = await open(temporary, 'wx', mode)
  try {
    await handle.writeFile(after)
    await handle.sync()
  } catch (error) {
    await handle.close()
    await unlink(temporary)
    throw error
  }
  await handle.close()
  await replaceFile(temporary, path).catch(async (error: unknown) => {
    await unlink(temporary)
    throw error
  })
}

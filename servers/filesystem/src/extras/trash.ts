import { randomBytes } from 'node:crypto'
import { mkdir, unlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

import { ToolError } from '@parley/mcp'
import { systemCode, type PathJail } from '@parley/server-kit/paths'

/** The trash of this user, where there is one. */
export function defaultTrash(platform = process.platform): string | undefined {
  if (platform === 'darwin') return join(homedir(), '.Trash')
  if (platform === 'win32') return undefined
  return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local/share'), 'Trash')
}

/**
 * Moves something there, as the desktops of Linux expect it: the thing in `files`, where it came from in `info`. Gives
 * its new path.
 */
export async function moveToTrash(
  jail: PathJail,
  path: string,
  trash: string | undefined,
): Promise<string> {
  if (trash === undefined) throw new ToolError(`There is no trash here. ${cure}`)
  const { path: real } = await jail.resolve(path, { followLast: false })
  const name = `${basename(real)}.${randomBytes(4).toString('hex')}`
  const [target, info] = [join(trash, 'files', name), join(trash, 'info', `${name}.trashinfo`)]
  await mkdir(join(trash, 'files'), { recursive: true, mode: 0o700 })
  await mkdir(join(trash, 'info'), { recursive: true, mode: 0o700 })
  const date = new Date().toISOString().slice(0, 19)
  const text = `[Trash Info]\nPath=${encodeURI(real)}\nDeletionDate=${date}\n`
  await writeFile(info, text, { flag: 'wx', mode: 0o600 })
  try {
    await jail.takeOut(path, target)
    return target
  } catch (error) {
    await unlink(info)
    if (systemCode(error) !== 'EXDEV') throw error
    throw new ToolError(`The trash ${trash} is on another disk. ${cure}`, { cause: error })
  }
}

const cure = 'Delete with permanent: true, or start the server with --trash on the same disk.'

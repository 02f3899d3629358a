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
  if (trash === undefined) throw new ToolError(`No trash folder is available. ${cure}`)
  const { path: real } = await jail.resolve(path, { followLast: false })
  const name = `${shortened(basename(real))}.${randomBytes(4).toString('hex')}`
  const [target, info] = [join(trash, 'files', name), join(trash, 'info', `${name}.trashinfo`)]
  await mkdir(join(trash, 'files'), { recursive: true, mode: 0o700 })
  await mkdir(join(trash, 'info'), { recursive: true, mode: 0o700 })
  const text = `[Trash Info]\nPath=${encodeURI(real)}\nDeletionDate=${localTime(new Date())}\n`
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

/** With room for what is added to it; the whole name stands in `info`. */
function shortened(name: string): string {
  const bytes = Buffer.from(name)
  return bytes.length <= 200
    ? name
    : bytes
        .subarray(0, 200)
        .toString()
        .replace(/\ufffd+$/, '')
}

/** As the clock on the wall has it. */
function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

const cure = 'Delete with permanent: true, or start the server with --trash on the same disk.'

import { randomBytes } from 'node:crypto'
import { lstat, mkdir, unlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, extname, join } from 'node:path'
import process from 'node:process'

import { ToolError } from '@parley/mcp'
import { systemCode, type PathJail } from '@parley/server-kit/paths'

/** The trash of this user, where there is one. */
export function defaultTrash(platform = process.platform): string | undefined {
  if (platform === 'darwin') return join(homedir(), '.Trash')
  if (platform === 'win32') return undefined
  return join(process.env['XDG_DATA_HOME'] ?? join(homedir(), '.local/share'), 'Trash')
}

/** Moves a file or folder into the trash, as the desktop of the platform expects it, and gives its new path. */
export async function moveToTrash(
  jail: PathJail,
  path: string,
  trash: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  if (trash === undefined) throw new ToolError(`No trash folder is available. ${fix}`)
  const { path: real } = await jail.resolve(path, { followLast: false })
  try {
    return platform === 'darwin'
      ? await intoFolder(jail, path, basename(real), trash)
      : await withRecord(jail, path, real, trash)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EXDEV') {
      throw new ToolError(`The trash ${trash} is on another disk. ${fix}`, { cause: error })
    }
    if (platform === 'darwin' && (code === 'EPERM' || code === 'EACCES')) {
      const message = `macOS does not let this program use ${trash}, which needs Full Disk Access. ${fix}`
      throw new ToolError(message, { cause: error })
    }
    throw error
  }
}

/** Finder's way: the thing itself, under its own name or one beside it. */
async function intoFolder(
  jail: PathJail,
  path: string,
  name: string,
  trash: string,
): Promise<string> {
  await mkdir(trash, { recursive: true, mode: 0o700 })
  const extension = extname(name)
  const stem = shortened(name.slice(0, name.length - extension.length))
  const other = `${stem} ${randomBytes(4).toString('hex')}${extension}`
  const target = join(trash, (await isFree(join(trash, name))) ? name : other)
  await jail.takeOut(path, target)
  return target
}

async function isFree(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true
    throw error
  }
}

/** The way of the desktops of Linux: the thing in `files`, where it came from in `info`. */
async function withRecord(
  jail: PathJail,
  path: string,
  real: string,
  trash: string,
): Promise<string> {
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
    throw error
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

const fix = 'Delete with permanent: true, or start the server with --trash on the same disk.'

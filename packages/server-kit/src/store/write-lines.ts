import { Buffer } from 'node:buffer'
import { constants } from 'node:fs'
import { open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { keepBackup, type BackupOptions } from './backup-ring.ts'
import { identityOf, type FileIdentity } from './file-identity.ts'
import type { UnreadableLine } from './lines.ts'

const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW

/** Adds bytes to the end; on the disk when it resolves, and gone again if it could not be all of them. */
export async function appendBytes(path: string, bytes: Buffer): Promise<FileIdentity> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | noFollow)
  try {
    const { size } = await file.stat()
    try {
      await file.appendFile(bytes)
      await file.datasync()
    } catch (error) {
      await file.truncate(size) // half a line would be in the way of the next
      throw error
    }
    return await identityOf(file)
  } finally {
    await file.close()
  }
}

/** Puts a new file in the place of the old one, in one step, and keeps the old one for a while. */
export async function rewriteFile(
  path: string,
  bytes: Buffer,
  { mode, backups }: { readonly mode: number; readonly backups: BackupOptions },
): Promise<FileIdentity> {
  await removeLeftovers(path)
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(bytes)
    await file.sync()
    const identity = await identityOf(file)
    await keepBackup(path, backups)
    await rename(temporary, path)
    await syncDirectory(dirname(path))
    return identity
  } catch (error) {
    await unlink(temporary).catch(() => {}) // the reason to be here is the better message
    throw error
  } finally {
    await file.close()
  }
}

/** Lines that cannot be read go to a file beside, before they leave this one. */
export async function setAside(path: string, lines: readonly UnreadableLine[]): Promise<string> {
  const aside = `${path}.unreadable`
  const file = await open(
    aside,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow,
    0o600,
  )
  try {
    const end = Buffer.from('\n')
    await file.appendFile(Buffer.concat(lines.flatMap(({ bytes }) => [bytes, end])))
    await file.sync()
  } finally {
    await file.close()
  }
  await syncDirectory(dirname(path))
  return aside
}

/** Of processes that died while they wrote. The caller holds the lock, so nobody is writing one now. */
async function removeLeftovers(path: string): Promise<void> {
  const name = basename(path)
  for (const entry of await readdir(dirname(path))) {
    if (!entry.startsWith(`${name}.`) || !/\.[0-9a-f-]{36}\.tmp$/.test(entry)) continue
    await unlink(join(dirname(path), entry)).catch(() => {}) // then it takes up room, no more
  }
}

/** A new name is on the disk only when its folder is. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // folders cannot be opened there
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

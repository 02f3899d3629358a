import { Buffer } from 'node:buffer'
import { constants } from 'node:fs'
import { open, readdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { replaceFile } from '@parley/mcp/system'

import { systemCode } from '../paths/system-error.ts'
import { keepBackup, type BackupOptions } from './backup-ring.ts'
import { identityOf, isStillAt, type FileIdentity } from './file-identity.ts'
import type { UnreadableLine } from './lines.ts'

const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW

/** Whether this process may still write: asked as the last thing before a step that others would not survive. */
export type MayWrite = () => Promise<boolean>

/**
 * Adds bytes to the end; on the disk when it resolves, and gone again if it could not be all of them. Undefined if the
 * file was, or may have been, replaced by others meanwhile: then the bytes may be in no file that counts.
 */
export async function appendBytes(
  path: string,
  bytes: Buffer,
  { mayWrite, isLocked }: { readonly mayWrite: MayWrite; readonly isLocked: MayWrite },
): Promise<FileIdentity | undefined> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | noFollow)
  try {
    const { size } = await file.stat()
    if (!(await mayWrite())) return undefined
    try {
      await file.appendFile(bytes)
      await file.datasync()
    } catch (error) {
      await file.truncate(size) // half a line would be in the way of the next
      throw error
    }
    const identity = await identityOf(file)
    return (await isLocked()) && (await isStillAt(path, identity)) ? identity : undefined
  } finally {
    await file.close()
  }
}

/** How a file is replaced. */
export interface RewriteOptions {
  readonly mode: number
  readonly backups: BackupOptions
  readonly mayWrite: MayWrite
}

/**
 * Puts a new file in the place of the old one, in one step, and keeps the old one for a while. Undefined, and nothing
 * happened, if others write by now. That holds however long this process sleeps between two steps: who takes the lock
 * removes the temporary file first, and then there is nothing to rename.
 */
export async function rewriteFile(
  path: string,
  bytes: Buffer,
  { mode, backups, mayWrite }: RewriteOptions,
): Promise<FileIdentity | undefined> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(bytes)
    await file.sync()
    const identity = await identityOf(file)
    await keepBackup(path, backups)
    const isRenamed = (await mayWrite()) && (await renameUnlessTaken(temporary, path))
    if (!isRenamed) await unlink(temporary).catch(() => {}) // taken by others
    else await syncDirectory(dirname(path))
    return isRenamed ? identity : undefined
  } catch (error) {
    await unlink(temporary).catch(() => {}) // the reason to be here is the better message
    throw error
  } finally {
    await file.close()
  }
}

async function renameUnlessTaken(temporary: string, path: string): Promise<boolean> {
  try {
    await replaceFile(temporary, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
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

/**
 * Temporary files of processes that died while they wrote, or that sleep since then and must not put theirs in the place
 * of what is written now. The caller holds the lock, and reads the file after this.
 */
export async function removeLeftovers(path: string): Promise<void> {
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

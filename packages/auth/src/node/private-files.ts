/**
 * Files in a folder that only this user can read and write: atomic replacement, locks between processes, and checks of owner and mode. The
 * stores for tokens and for the authorization server are built on it.
 */

import { constants } from 'node:fs'
import { chmod, link, lstat, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'

import { isInUse, replaceFile, sharedFolderWarning, withFileLock } from '@parley/mcp/system'

import { AuthError } from '../shared/auth-error.ts'
import { warnOnce } from '../shared/warn.ts'

/** Files that nobody else can read, in a folder that nobody else can change. */
export interface PrivateFiles {
  path(name: string): string
  read(name: string): Promise<string | undefined>
  /** All or nothing, and on the disk when it returns. */
  write(name: string, text: string): Promise<void>
  /** False if it exists already. */
  create(name: string, text: string): Promise<boolean>
  /** Gives a file its name for good; false if there is one of that name already. Its first name is gone either way. */
  publish(temporary: string, name: string): Promise<boolean>
  remove(name: string): Promise<boolean>
  /** Runs work that one process does at a time; throws `store_failed` if the lock stays with another one. */
  withLock<T>(name: string, work: () => Promise<T>, timeoutMs: number): Promise<T>
}

/** A refreshed token that cannot be stored is lost, so this waits longer than others for a file that is in use. */
const patienceMs = 10_000

const isWindows = process.platform === 'win32' // there the profile folder's own rights do the work
const noFollow = isWindows ? 0 : constants.O_NOFOLLOW

/** Opens a folder, making it if need be. Symbolic links and folders of others are refused. */
export async function openPrivateFiles(directory: string): Promise<PrivateFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const warning = sharedFolderWarning(directory)
  if (warning !== undefined) warnOnce(warning)
  const folder = await lstat(directory)
  if (!folder.isDirectory()) throw rejected(directory, 'it is a link or a file, not a folder')
  requireOwn(directory, folder.uid)
  if (!isWindows && (folder.mode & 0o077) !== 0) await chmod(directory, 0o700)

  const files: PrivateFiles = {
    path: (name) => join(directory, name),

    async read(name) {
      const path = files.path(name)
      const file = await open(path, constants.O_RDONLY | noFollow).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined
        throw codeOf(error) === 'ELOOP'
          ? rejected(path, 'it is a symbolic link')
          : failed(path, error)
      })
      if (file === undefined) return undefined
      try {
        const { mode, uid, size } = await file.stat()
        requireOwn(path, uid)
        if (!isWindows && (mode & 0o077) !== 0) throw rejected(path, 'other users can read it')
        if (size > 1024 * 1024) throw rejected(path, 'it is larger than any file of this store')
        return await file.readFile('utf8')
      } finally {
        await file.close()
      }
    },

    async write(name, text) {
      const temporary = `${name}.${crypto.randomUUID()}.tmp`
      if (!(await files.create(temporary, text))) throw failed(files.path(temporary), 'it exists')
      try {
        await replaceFile(files.path(temporary), files.path(name), { patienceMs })
      } catch (error) {
        await files.remove(temporary)
        throw failed(files.path(name), error)
      }
    },

    async create(name, text) {
      const path = files.path(name)
      const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | noFollow
      const file = await open(path, flags, 0o600).catch((error: unknown) => {
        // Windows refuses the name of a file that is just being removed.
        if (codeOf(error) === 'EEXIST' || isInUse(error)) return undefined
        throw failed(path, error)
      })
      if (file === undefined) return false
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      return true
    },

    async publish(temporary, name) {
      try {
        await link(files.path(temporary), files.path(name))
        return true
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false
        throw failed(files.path(name), error)
      } finally {
        await files.remove(temporary)
      }
    },

    async remove(name) {
      try {
        await unlink(files.path(name))
        return true
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false
        throw failed(files.path(name), error)
      }
    },

    withLock(name, work, timeoutMs) {
      return withFileLock(files.path(name), work, { timeoutMs, tooLate })
    },
  }
  return files
}

function requireOwn(path: string, uid: number): void {
  const own = process.getuid?.()
  if (own !== undefined && uid !== own) throw rejected(path, 'it belongs to another user')
}

function tooLate(timeoutMs: number): AuthError {
  const message = `another process has been signing in or refreshing for ${timeoutMs} ms`
  return new AuthError('store_failed', message, { step: 'store' })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function rejected(path: string, why: string): AuthError {
  return new AuthError('store_failed', `${path} is ignored: ${why}`, {
    step: 'store',
    hint: 'Remove it, or pass another directory to createFileTokenStore().',
  })
}

function failed(path: string, error: unknown): AuthError {
  return new AuthError(
    'store_failed',
    `${path} cannot be used: ${String(codeOf(error) ?? error)}`,
    {
      step: 'store',
      cause: error,
    },
  )
}

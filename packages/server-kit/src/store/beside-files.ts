import { constants } from 'node:fs'
import { open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { LockFiles } from '@parley/auth/node'

/** Locks in a folder that belongs to the user: its rights stay as they are. */
export function filesIn(directory: string): LockFiles {
  const path = (name: string) => join(directory, name)
  return {
    path,

    async read(name) {
      return readFile(path(name), 'utf8').catch(() => undefined)
    },

    async create(name, text) {
      const file = await open(
        path(name),
        constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
        0o600,
      ).catch((error: unknown) => {
        // Windows says EPERM of a file that is just being removed.
        if (isCode(error, 'EEXIST') || (process.platform === 'win32' && isCode(error, 'EPERM'))) {
          return undefined
        }
        throw error
      })
      if (file === undefined) return false
      try {
        await file.writeFile(text)
      } finally {
        await file.close()
      }
      return true
    },

    async remove(name) {
      try {
        await unlink(path(name))
        return true
      } catch (error) {
        if (isCode(error, 'ENOENT')) return false
        throw error
      }
    },
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

import { constants } from 'node:fs'
import { mkdir, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'

/** What programs of the same user need to reach a listener. */
export interface TokenFile {
  /** The address of the listener. */
  readonly url: string
  /** The bearer token to send. */
  readonly token: string
  /** The process that listens. */
  readonly pid: number
}

/** Writes a file that only its owner can read, all or nothing; links in its place are replaced, not followed. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.${crypto.randomUUID()}.tmp`
  const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | noFollow
  const file = await open(temporary, flags, 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => undefined) // the first error says more
    throw error
  }
}

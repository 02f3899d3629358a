import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import process from 'node:process'

/** Larger files are nobody's settings. */
const maxBytes = 16 * 1024 * 1024

/**
 * The text of a file that only its owner can read; undefined if there is none. A link, a file of another user and one
 * that others can write are refused: whoever can change it decides what we do.
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  const file = await open(path, flags).catch((error: unknown) => absentOr(path, error))
  if (file === undefined) return undefined
  try {
    requirePrivate(path, await file.stat())
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** The same at once, for what must be known before anything else happens. */
export function readPrivateFileSync(path: string): string | undefined {
  let file: number | undefined
  try {
    file = openSync(path, flags)
  } catch (error) {
    return absentOr(path, error)
  }
  try {
    requirePrivate(path, fstatSync(file))
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

const isWindows = process.platform === 'win32' // there the rights of the profile folder do the work
const flags = constants.O_RDONLY | (isWindows ? 0 : constants.O_NOFOLLOW)

function absentOr(path: string, error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  if (codeOf(error) === 'ELOOP') throw new Error(`${path} is a symbolic link: name the file itself`)
  throw error
}

function requirePrivate(path: string, { mode, uid, size }: Stats): void {
  const own = process.getuid?.()
  if (own !== undefined && uid !== own && uid !== 0) {
    throw new Error(`${path} belongs to another user: use a file of your own`)
  }
  if (!isWindows && (mode & 0o022) !== 0) {
    throw new Error(`other users can change ${path}: run chmod 600 ${path}`)
  }
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes: at most ${maxBytes} are read`)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

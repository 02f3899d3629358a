import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { mkdir, open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'

import { replaceFile, sharedFolderWarning } from '@parley/mcp/system'

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

/** Writes a file that only its owner can read, all or nothing; links in its place are replaced, not followed. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  warnOnce(sharedFolderWarning(dirname(path)))
  const temporary = `${path}.${process.pid}.${crypto.randomUUID()}.tmp`
  const file = await open(temporary, writeFlags, 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await replaceFile(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => undefined) // the first error says more
    throw error
  }
}

function warnOnce(warning: string | undefined): void {
  if (warning === undefined || warned.has(warning)) return
  warned.add(warning)
  process.emitWarning(warning)
}

const warned = new Set<string>()
const isWindows = process.platform === 'win32' // there the rights of the profile folder do the work
const noFollow = isWindows ? 0 : constants.O_NOFOLLOW
// A pipe would keep the reader waiting for its writer.
const noWait = isWindows ? 0 : constants.O_NONBLOCK
const flags = constants.O_RDONLY | noFollow | noWait
const writeFlags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | noFollow

function absentOr(path: string, error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  if (codeOf(error) === 'ELOOP') throw new Error(`${path} is a symbolic link: name the file itself`)
  throw error
}

function requirePrivate(path: string, stats: Stats): void {
  const { mode, uid, size } = stats
  if (!stats.isFile()) throw new Error(`${path} is not a file: name a file`)
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

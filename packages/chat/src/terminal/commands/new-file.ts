import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Writes a file that is not there yet, for the user alone, and returns its path. */
export async function writeNewFile(cwd: string, name: string, text: string): Promise<string> {
  const path = resolve(cwd, name)
  await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isThere ? new Error(`${path} is there already: name another file`) : error
  })
  return path
}

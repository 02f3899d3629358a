import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** Where the inspector shall write what happens; refused at once if nobody can. */
export async function recordingFile(
  file: string | undefined,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<string | undefined> {
  if (file === undefined) return undefined
  const path = resolve(cwd, file)
  await writeFile(path, '', { flag: 'a', mode: 0o600 }).catch((error: unknown) => {
    throw new CliError('error', `${file} cannot be written`, { cause: error })
  })
  return path
}

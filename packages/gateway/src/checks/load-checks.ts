import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import { isJsonObject } from '@parley/mcp/json'

import type { ConfiguredChecks } from './read-checks.ts'

/** The checks of a file, without any server. */
export interface LoadedChecks extends ConfiguredChecks {
  /** The file they were read from. */
  readonly file: string
}

/** Reads what the file of a gateway says about checks, for those who explain them or look at the quarantine. Throws if it cannot be read. */
export async function loadChecks(file: string): Promise<LoadedChecks> {
  const [{ readDocument, syntaxOf }, { readChecks }] = await Promise.all([
    import('@parley/foundation/config'),
    import('./read-checks.ts'),
  ])
  const path = resolve(file)
  const { root } = readDocument(await readFile(path, 'utf8'), syntaxOf(path))
  const section = root !== undefined && isJsonObject(root.value) ? root.value : {}
  return { file: path, ...readChecks(section, { folder: dirname(path) }) }
}

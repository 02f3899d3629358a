import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import type { ConfigProblem } from '@parley/foundation/config'

import { checkNames } from './check-settings.ts'
import type { ConfiguredChecks } from './read-checks.ts'

/** The checks of a file, without any server. */
export interface LoadedChecks extends ConfiguredChecks {
  /** The file they were read from. */
  readonly file: string
}

/** Reads what the file of a gateway says about checks, for those who explain them or look at the quarantine. Throws if it cannot be read. */
export async function loadChecks(file: string): Promise<LoadedChecks> {
  const [{ readDocument, resolveEntry, syntaxOf }, { readChecks }, { filledSections }] =
    await Promise.all([
      import('@parley/foundation/config'),
      import('./read-checks.ts'),
      import('../config/fill-in-variables.ts'),
    ])
  const path = resolve(file)
  const { root } = readDocument(await readFile(path, 'utf8'), syntaxOf(path))
  const missing: ConfigProblem[] = []
  const section = root ? await filledSections(root, checkNames, path, resolveEntry, missing) : {}
  const checks = readChecks(section, { folder: dirname(path) })
  const problems = missing.map(({ key = '', message, fix = '' }) => ({
    path: key.split('.'),
    message,
    fix,
  }))
  return { file: path, ...checks, problems: [...problems, ...checks.problems] }
}

import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'

import { configLocations } from '@parley/foundation/config'
import { stateFolder } from '@parley/foundation/secrets'

import type { Io } from '../io.ts'

/** Your own rules: beside your own configuration. A project has none, or it would allow itself everything. */
export function rulesFile({ env, cwd }: Io): string {
  const home = env['HOME'] || env['USERPROFILE'] || homedir()
  const own = configLocations({ cwd, home, env, platform: process.platform }).find(
    ({ format, scope }) => format === 'parley' && scope === 'user',
  )
  return join(own === undefined ? cwd : dirname(own.file), 'rules.json')
}

/** What was answered to questions, for good. */
export function rememberedFile({ env }: Io): string {
  return join(stateFolder({ env }), 'consent.json')
}

/** Who decided what. */
export function auditFile(file: string | undefined, { env, cwd }: Io): string {
  return file === undefined ? join(stateFolder({ env }), 'audit.jsonl') : resolve(cwd, file)
}

import { existsSync, readFileSync } from 'node:fs'

/** The official JSON Schema of a revision: `definitions` in draft-07, `$defs` in 2020-12 from 2025-11-25 on. */
export interface OfficialSchema {
  readonly definitions?: Readonly<Record<string, object>>
  readonly $defs?: Readonly<Record<string, object>>
}

const folder = new URL('../../shared/spec/schema/', import.meta.url)

/** No package carries the official schemas: what needs them runs where the specification lies beside this repository. */
export const hasOfficialSchemas = existsSync(folder)

/** Reads the official schema of a revision. */
export function readOfficialSchema(revision: string): OfficialSchema {
  return JSON.parse(readFileSync(new URL(`${revision}.json`, folder), 'utf8')) // a published schema, which has this shape
}

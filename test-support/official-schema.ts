import { readFileSync } from 'node:fs'

/** The official JSON Schema of a revision: `definitions` in draft-07, `$defs` in 2020-12 from 2025-11-25 on. */
export interface OfficialSchema {
  readonly definitions?: Readonly<Record<string, object>>
  readonly $defs?: Readonly<Record<string, object>>
}

/** Reads the official schema of a revision; this repository carries it without its prose. */
export function readOfficialSchema(revision: string): OfficialSchema {
  const file = new URL(`official/schema/${revision}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) // a copy of the published schema, which has this shape
}

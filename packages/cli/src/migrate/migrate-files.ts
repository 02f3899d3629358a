import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

import { CliError } from '../exit.ts'
import { migrateSource } from './migrate-source.ts'
import { dependencyPlaces, exchangeDependencies } from './package-json.ts'
import type { Place } from './source.ts'
import { findUncommitted } from './uncommitted.ts'

/** A file that would change, or that something is left in. */
export interface MigratedFile {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly edits: number
  readonly places: readonly Place[]
}

/** Moves sources, and then the dependencies that they no longer have. */
export async function migrateFiles(files: readonly string[]): Promise<readonly MigratedFile[]> {
  const migrated: MigratedFile[] = []
  const stillUsed = new Set<string>()
  const isPackage = (file: string) => basename(file) === 'package.json'
  for (const file of files.filter((candidate) => !isPackage(candidate))) {
    const before = await readFile(file, 'utf8')
    const moved = await migrateSource(file, before)
    for (const name of importedPackages(moved?.text ?? before)) stillUsed.add(name)
    if (moved === undefined || (moved.text === before && moved.places.length === 0)) continue
    migrated.push({ file, before, after: moved.text, edits: moved.edits, places: moved.places })
  }
  if (migrated.length === 0) return []
  for (const file of files.filter(isPackage)) {
    const before = await readFile(file, 'utf8')
    const after = exchangeDependencies(before, stillUsed)
    if (after !== undefined && after !== before)
      migrated.push({ file, before, after, edits: 1, places: dependencyPlaces(before, after) })
  }
  return migrated
}

function importedPackages(text: string): readonly string[] {
  const found = text.matchAll(
    /(?:from|import|require)\s*\(?\s*['"]((?:@modelcontextprotocol\/[\w-]+)|fastmcp)/g,
  )
  return [...found].map(([, name = '']) => name)
}

/** Writes them, unless git could not bring back what was there. */
export async function writeMigrated(
  migrated: readonly MigratedFile[],
  isForced: boolean,
): Promise<void> {
  const changed = migrated.filter(({ before, after }) => before !== after)
  const uncommitted = isForced ? [] : await findUncommitted(changed.map(({ file }) => file))
  if (uncommitted.length > 0) {
    throw new CliError('error', `not committed: ${uncommitted.join(', ')}`, {
      hint: 'Commit or stash these files first, or use --force.',
      details: { uncommitted },
    })
  }
  for (const { file, after } of changed) await writeFile(file, after)
}

/**
 * Where Vitest keeps what it makes of each module: the four projects of a run share it, and so does the next run.
 *
 * What is kept says where the imports of a module were found, and Vitest looks only at the text of the module. So there is a
 * folder for each set of files and packages: when a file comes, goes or moves, or a package exports other files, all is made anew.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const maxFolders = 3

/** For `experimental.fsModuleCachePath`. Of older folders only the newest stay: one takes some 50 MB. */
export function moduleCachePath(): string {
  const all = join(root, 'node_modules/.cache/vitest-modules')
  const own = hashLayout(root)
  mkdirSync(join(all, own), { recursive: true })
  utimesSync(join(all, own), new Date(), new Date())
  const usedAt = (name: string): number => statSync(join(all, name)).mtimeMs
  const newestFirst = readdirSync(all).toSorted((one, other) => usedAt(other) - usedAt(one))
  for (const old of newestFirst.slice(maxFolders)) {
    rmSync(join(all, old), { recursive: true, force: true })
  }
  return join(all, own)
}

/** Changes with the names of modules, and with what packages say of themselves. */
export function hashLayout(folder: string): string {
  const hash = createHash('sha1')
  const add = (place: string): void => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name)
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !skipped.has(entry.name)) add(path)
      } else if (/\.[cm]?[jt]sx?$/.test(entry.name)) hash.update(`${path}\n`)
      else if (entry.name === 'package.json') hash.update(readFileSync(path))
    }
  }
  add(folder)
  return hash.digest('hex')
}

const skipped = new Set(['node_modules', 'dist', 'coverage'])

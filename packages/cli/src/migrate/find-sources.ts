import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { CliError } from '../exit.ts'

/** Folders that hold nobody's sources, or others' sources. */
const skipped = new Set(['node_modules', 'dist', 'build', 'out', 'coverage'])
const sourceName = /(?<!\.d)\.[cm]?[jt]sx?$/
const maxFiles = 20_000

/** The sources below these paths, and the `package.json` files. A file that is named is taken as it is. */
export async function findSources(
  paths: readonly string[],
  cwd: string,
): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    const full = resolve(cwd, path)
    const there = await stat(full).catch(() => undefined)
    if (there === undefined) throw new CliError('error', `${path} does not exist`)
    if (there.isDirectory()) await collect(full, found)
    else found.add(full)
  }
  return [...found].toSorted()
}

async function collect(folder: string, found: Set<string>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name) && !entry.name.startsWith('.')) await collect(path, found)
    } else if (
      entry.isFile() &&
      (sourceName.test(entry.name) || basename(path) === 'package.json')
    ) {
      found.add(path)
    }
    if (found.size > maxFiles) {
      throw new CliError('error', `more than ${maxFiles} files`, {
        hint: 'Name the folders of your sources.',
      })
    }
  }
}

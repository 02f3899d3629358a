import { watch, type FSWatcher } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import type { ConfigEntry } from '../entries/config-entry.ts'
import { loadConfig, type LoadConfigOptions, type LoadedConfig } from '../load-config.ts'

/** The changed entries, by name. */
export interface ConfigChanges {
  /** Servers that are new. */
  readonly added: readonly string[]
  /** Servers that are gone. */
  readonly removed: readonly string[]
  /** Servers whose entries have changed. */
  readonly changed: readonly string[]
}

/** Which servers have to be started, stopped or started anew. */
export function compareConfigs(
  before: readonly ConfigEntry[],
  after: readonly ConfigEntry[],
): ConfigChanges {
  const old = byName(before)
  const fresh = byName(after)
  return {
    added: [...fresh.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !fresh.has(name)),
    changed: [...fresh].flatMap(([name, entry]) =>
      old.has(name) && !isDeepStrictEqual(old.get(name)?.raw, entry.raw) ? [name] : [],
    ),
  }
}

/** Returns the entries by name; of several with one name, the first counts. */
function byName(entries: readonly ConfigEntry[]): ReadonlyMap<string, ConfigEntry> {
  return new Map(entries.toReversed().map((entry) => [entry.name, entry]))
}

/** Watches a folder. One that is deleted is an error on Windows, which ends the watching and not the program. */
export function followFolder(folder: string, look: () => void, start = watch): FSWatcher {
  const watcher = start(folder, look)
  watcher.on('error', () => {
    watcher.close()
    look()
  })
  return watcher
}

/** Loads once, and again after each change of a file; says which servers it concerns. */
export async function watchConfig(
  options: LoadConfigOptions,
  onChange: (config: LoadedConfig, changes: ConfigChanges) => void,
): Promise<{ readonly config: LoadedConfig } & Disposable> {
  let current = await loadConfig(options)
  const first = current
  let timer: NodeJS.Timeout | undefined
  // A folder rather than the file: editors replace files, and the watch would stay with the old one.
  const folders = new Set(current.files.map(({ file }) => dirname(file)))
  const watchers: FSWatcher[] = [...folders].map((folder) => followFolder(folder, look))

  function look(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void reload(), 100) // writing takes several steps
  }

  async function reload(): Promise<void> {
    const next = await loadConfig(options)
    const changes = compareConfigs(current.entries, next.entries)
    const isSame = isDeepStrictEqual(current.problems, next.problems)
    current = next
    if (isSame && Object.values(changes).every((names) => names.length === 0)) return
    onChange(next, changes)
  }

  return {
    config: first,
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

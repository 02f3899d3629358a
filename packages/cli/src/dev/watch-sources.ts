import { readdirSync, statSync, watch, type FSWatcher, type Stats } from 'node:fs'
import { join, relative, sep } from 'node:path'

const ignored = /^(?:node_modules|dist|coverage|\..+)$|~$/
const source = /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|txt|html|css|py|rb|go|rs)$/i
/** Editors write a file in several steps, and often several files. */
const settleMs = 150

/** Undefined for what is gone, or as on Windows is just going. */
export function kindOf(path: string, look: typeof statSync = statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Tells when a source below a folder has changed, once for changes in short order. Folder by folder, not by the
 * `recursive` of Node: on Linux that also watches every file of `node_modules`, and loses files that are replaced.
 */
export function watchSources(root: string, onChange: (file: string) => void): { close(): void } {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function follow(folder: string): void {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_event, name) => {
      if (name !== null && !ignored.test(name)) changed(join(folder, name))
    })
    watcher.on('error', () => forget(folder))
    watchers.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !ignored.test(entry.name)) attempt(join(folder, entry.name))
    }
  }

  /** A folder may be gone again, or be one more than the system lets us watch. */
  function attempt(folder: string): void {
    try {
      follow(folder)
    } catch {
      forget(folder)
    }
  }

  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue
      watcher.close()
      watchers.delete(path)
    }
  }

  function changed(path: string): void {
    if (isClosed) return
    const kind = kindOf(path)
    if (kind === undefined) forget(path)
    if (kind?.isDirectory()) attempt(path)
    // What is in a new folder may have been written before we followed it.
    if (!source.test(path) && !kind?.isDirectory()) return
    clearTimeout(timer)
    timer = setTimeout(() => onChange(relative(root, path)), settleMs)
  }

  follow(root)
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      forget(root)
    },
  }
}

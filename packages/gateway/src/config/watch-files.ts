import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Calls back some time after one of the files was written. Editors replace files, so their folders are watched. */
export function watchFiles(files: readonly string[], onChange: () => void): Disposable {
  const names = new Set(files.map((file) => basename(file)))
  let timer: NodeJS.Timeout | undefined
  const watchers = [...new Set(files.map((file) => dirname(file)))].map(
    (folder) =>
      watch(folder, (_, name) => {
        if (name !== null && !names.has(name)) return
        clearTimeout(timer)
        timer = setTimeout(onChange, 100) // writing takes several steps
      }).on('error', () => undefined), // a folder that is gone changes no more
  )
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

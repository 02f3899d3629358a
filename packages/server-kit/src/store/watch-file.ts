import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

const quietMs = 50

/** Calls `happened` some time after something happened to a file, whether it was changed or replaced. */
export function watchFile(path: string, happened: () => unknown, signal: AbortSignal): void {
  const name = basename(path)
  let timer: NodeJS.Timeout | undefined
  void mkdir(dirname(path), { recursive: true, mode: 0o700 })
    .then(() => {
      if (signal.aborted) return
      // The folder, since a file that is replaced is not the one that was watched.
      const watcher = watch(dirname(path), { persistent: false, signal }, (_, changed) => {
        if (changed !== name || timer !== undefined) return
        timer = setTimeout(() => {
          timer = undefined
          if (!signal.aborted) happened()
        }, quietMs)
        timer.unref()
      })
      watcher.on('error', () => {}) // the folder is gone: there is nothing left to say
    })
    .catch(() => {}) // a folder that cannot be made cannot be watched; who writes is told
}

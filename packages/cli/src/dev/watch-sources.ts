import { watch } from 'node:fs'

const ignored = /(?:^|[\\/])(?:node_modules|dist|coverage|\.[^\\/]+)(?:[\\/]|$)|~$/
const source = /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|txt|html|css|py)$/i
/** Editors write a file in several steps, and often several files. */
const settleMs = 150

/** Tells when a source below a folder has changed, once for changes in short order. */
export function watchSources(folder: string, onChange: (file: string) => void): { close(): void } {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(folder, { recursive: true }, (_event, file) => {
    if (file === null || ignored.test(file) || !source.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => onChange(file), settleMs)
  })
  return {
    close() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}

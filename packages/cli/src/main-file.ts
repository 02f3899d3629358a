import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The built program, to start it once more: beside this file, or where the sources are built to. */
export function mainFile(): string {
  const candidates = ['./main.js', '../dist/main.js'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return candidates.find((candidate) => existsSync(candidate)) ?? candidates[0] ?? 'main.js'
}

import { statSync } from 'node:fs'

import { errorMessage } from '@parley/mcp/json'

import { readPrivateFileSync } from './private-file.ts'

/** The parsed content of a small file, read again when it has changed. */
export interface FileView<T> {
  /** Looks at the file at most twice a second. */
  current(): T
  /** Replaces the value after this process has written the file. */
  replace(value: T): void
}

/** How a file is read. */
export interface FileViewOptions<T> {
  /** The file. */
  readonly path: string
  /** Undefined if there is no file. What it throws at the start is thrown; later, what was known stays. */
  readonly read: (text: string | undefined) => T
  /** Told when the file can no longer be read. */
  readonly onProblem: (message: string) => void
  /** Milliseconds. @defaultValue the clock of the process */
  readonly now?: (() => number) | undefined
}

const lookAgainMs = 500

/** Reads a private file at once, and again when another process has written it. */
export function openFileView<T>(options: FileViewOptions<T>): FileView<T> {
  const { path, read, onProblem, now = () => performance.now() } = options
  let version = versionOf(path)
  let value = read(readPrivateFileSync(path))
  let lookedAt = now()

  return {
    current() {
      if (now() - lookedAt < lookAgainMs) return value
      lookedAt = now()
      const found = versionOf(path)
      if (found === version) return value
      version = found // told once for each writing
      try {
        value = read(readPrivateFileSync(path))
      } catch (error) {
        const why = errorMessage(error)
        onProblem(`${path} cannot be read, and what it said before stays: ${why}`)
      }
      return value
    },
    replace(next) {
      value = next
      version = versionOf(path)
    },
  }
}

/** Changes with every writing, since a new file takes the place of the old one. */
function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
}

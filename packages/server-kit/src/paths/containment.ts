import { posix, win32 } from 'node:path'
import process from 'node:process'

/** True for the directory itself and everything below it; compared by segment, so `/allowed_evil` is not in `/allowed`. For real paths. */
export function isInside(
  path: string,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const { sep } = platform === 'win32' ? win32 : posix
  if (path === directory) return true
  return path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`)
}

/**
 * The same for paths as they are typed: Windows and macOS mostly ignore case, and macOS the Unicode form. Says yes too often,
 * so it may only begin a check that real paths complete, or refuse something.
 */
export function mayBeInside(
  path: string,
  directory: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'win32' && platform !== 'darwin') return isInside(path, directory, platform)
  return isInside(folded(path), folded(directory), platform)
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

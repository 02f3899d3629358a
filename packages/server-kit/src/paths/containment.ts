import { sep } from 'node:path'

/** True for the directory itself and everything below it; compared by segment, so `/allowed_evil` is not in `/allowed`. */
export function isInside(path: string, directory: string): boolean {
  const [inner, outer] =
    process.platform === 'win32' ? [path.toLowerCase(), directory.toLowerCase()] : [path, directory]
  if (inner === outer) return true
  return inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`)
}

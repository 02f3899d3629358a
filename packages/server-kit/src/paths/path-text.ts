import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'

import { PathDenied } from './path-denied.ts'

/** Refuses what no honest path contains, before anything is looked up. */
export function requireHonestText(path: string, platform: NodeJS.Platform): void {
  if (path.length > maxPathLength) throw new PathDenied('text', `path of ${path.length} characters`)
  if (directionControls.test(path)) {
    throw new PathDenied(
      'text',
      `path with characters that reverse the reading direction: ${visible(path)}`,
    )
  }
  if (platform !== 'win32') {
    if (/^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\')) {
      throw new PathDenied('text', `Windows-style path received on a POSIX host: ${path}`)
    }
    return
  }
  if (/^[\\/]{2}[.?][\\/]/.test(path)) throw new PathDenied('text', `device path: ${path}`)
  const segments = path.replace(/^[A-Za-z]:/, '').split(/[\\/]/)
  for (const segment of segments) {
    if (segment.includes(':')) throw new PathDenied('text', `alternate data stream: ${path}`)
    if (deviceNames.test(segment)) throw new PathDenied('text', `device name: ${path}`)
    if (/[. ]$/.test(segment) && !/^\.{1,2}$/.test(segment)) {
      throw new PathDenied('text', `name with a dot or a space at its end: ${path}`)
    }
  }
}

/** Refuses what is not one name in a directory: a path, a name that leads elsewhere, on Windows also a stream or a drive. */
export function requireName(name: string, platform: NodeJS.Platform = process.platform): void {
  const separators = platform === 'win32' ? /[/\\:\0]/ : /[/\0]/
  if (name !== '' && name !== '.' && name !== '..' && !separators.test(name)) return
  throw new PathDenied('text', `not the name of a file: ${JSON.stringify(name)}`)
}

/** `~` and `~/…` are the home directory of this user. */
export function expandHome(path: string, home = homedir()): string {
  if (path === '~') return home
  return /^~[\\/]/.test(path) ? join(home, path.slice(2)) : path
}

/** Absolute here, whatever the separators. */
export function isAbsolutePath(path: string): boolean {
  return isAbsolute(path)
}

/** Text with its invisible characters written out. */
function visible(path: string): string {
  return path.replaceAll(new RegExp(directionControls, 'g'), (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

const maxPathLength = 32_767

/** Marks, embeddings, overrides and isolates: a name shown with them is not the name that is opened. */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Windows opens a device for these in any directory, with any extension, and with spaces before it. */
const deviceNames = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(\..*)?$/i

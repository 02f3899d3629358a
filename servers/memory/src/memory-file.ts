import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'

/** Where this server may keep things, by the custom of the platform. */
export function dataDirectory(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const { APPDATA, XDG_DATA_HOME } = environment
  const home = homedir()
  if (platform === 'win32') return join(APPDATA ?? join(home, 'AppData/Roaming'), 'parley/memory')
  if (platform === 'darwin') return join(home, 'Library/Application Support/parley/memory')
  const data = XDG_DATA_HOME !== undefined && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : undefined
  return join(data ?? join(home, '.local/share'), 'parley/memory')
}

/**
 * The file to use, from what the operator named. Whatever a caller says, it ends up in this file, so the name must be
 * that of a memory: no start-up script, key list or settings file is made by this server. What stands in a file that is
 * there already is looked at when it is read.
 */
export function memoryFile(named: string | undefined, directory = dataDirectory()): string {
  if (named === undefined || named === '') return join(directory, 'memory.jsonl')
  if (named.includes('\0')) throw new Error('The name of the memory file has a NUL in it.')
  const path = resolve(directory, named.replace(/^~(?=[/\\]|$)/, homedir()))
  const isExpanded = isAbsolute(named) || named.startsWith('~')
  if (!isExpanded && isOutside(directory, path)) {
    throw new Error(`${named} leads out of ${directory}. Name a file elsewhere by its full path.`)
  }
  if (path.endsWith('.jsonl') || (path.endsWith('.json') && existsSync(path))) return path
  throw new Error(
    `${path} does not look like a memory file. Its name must end with .jsonl (or .json, for one that is there already).`,
  )
}

function isOutside(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

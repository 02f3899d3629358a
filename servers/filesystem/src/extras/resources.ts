import type { Dirent } from 'node:fs'
import { watch } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

import type { Resource } from '@parley/mcp'
import { defineResource, type Feature } from '@parley/mcp/server'
import { isText, mediaTypeOf, readBytes } from '@parley/server-kit/files'
import { PathDenied, systemCode, type PathJail } from '@parley/server-kit/paths'

import type { FileAccess } from '../file-tool.ts'

/** Files as resources: read, completed, listed as far as they are at the top, and followed. */
export function fileResources({ roots, settings }: FileAccess): Feature {
  return defineResource(
    'file://{+path}',
    {
      name: 'file',
      title: 'File',
      description: 'A file in an allowed directory, by its absolute path.',
      list: (context) => topFiles(roots.knownFor(context)),
      complete: { path: (typed) => completePath(roots.known, typed) },
      watch: (variables, changed, signal) =>
        follow(roots.known, `file://${encoded(variables.path)}`, changed, signal),
    },
    async (_, context) => {
      const jail = await roots.jailFor(context)
      return readResource(jail, context.uri, settings.maxReadBytes)
    },
  )
}

/** Nothing for what is not there or not allowed: strangers learn no more than that. */
async function readResource(jail: PathJail, uri: string, maxBytes: number) {
  try {
    const path = fileURLToPath(uri)
    await using handle = await jail.open(path)
    if ((await handle.stat()).isDirectory()) return undefined
    const ifLarge = 'Use read_text_file with head or tail.'
    const bytes = await readBytes(handle, { path, maxBytes, ifLarge })
    const mimeType = mediaTypeOf(path)
    if (mimeType === 'application/octet-stream' && isText(bytes)) {
      return { uri, mimeType: 'text/plain', text: bytes.toString('utf8') }
    }
    return { uri, mimeType, blob: bytes.toString('base64') }
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

async function* topFiles(jail: PathJail): AsyncGenerator<Resource> {
  for (const { path } of jail.directories) {
    for (const entry of await entriesAt(jail, path)) {
      if (!entry.isFile()) continue
      yield { uri: pathToFileURL(join(path, entry.name)).href, name: entry.name }
    }
  }
}

/** None of a folder that is gone, or not allowed. */
async function entriesAt(jail: PathJail, path: string): Promise<readonly Dirent[]> {
  try {
    await using directory = await jail.openDirectory(path)
    return await directory.entries()
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** Lists the folder that has been typed so far, as it stands in a URI: `/C:/UserDirectory/ada/my%20notes/` on Windows. */
async function completePath(jail: PathJail, typed: string): Promise<readonly string[]> {
  const start = typed
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, at) => (at % 2 === 1 ? part : encoded(part)))
    .join('')
  const tops = jail.directories.map(({ path }) => `${pathInUri(path)}/`)
  const isOnTheWay = tops.filter((top) => top.startsWith(start) && top !== start)
  const folder = start.slice(0, start.lastIndexOf('/') + 1)
  const listed = (await entriesBelow(jail, `file://${folder}`))
    .map((entry) => `${folder}${encoded(entry.name)}${entry.isDirectory() ? '/' : ''}`)
    .filter((path) => path.startsWith(start))
  return [...new Set([...isOnTheWay, ...listed])]
}

async function entriesBelow(jail: PathJail, uri: string): Promise<readonly Dirent[]> {
  try {
    return await entriesAt(jail, fileURLToPath(uri))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** A path as the variable of `file://{+path}`; on Windows a share comes without its two slashes. */
export function pathInUri(path: string, isWindows = process.platform === 'win32'): string {
  if (!isWindows) return encoded(path)
  const forward = path.replaceAll('\\', '/')
  return encoded(forward.startsWith('//') ? forward.slice(2) : `/${forward}`)
}

/** What a URI cannot hold as it is. */
function encoded(path: string): string {
  return encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent)
}

/** Looks at the folder, not the file: most programs save by putting another file in its place. */
async function follow(
  jail: PathJail,
  uri: string,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { path: real } = await jail.resolve(fileURLToPath(uri))
    for await (const { filename } of watch(dirname(real), { signal })) {
      if (filename === null || filename === basename(real)) changed()
    }
  } catch (error) {
    if (!signal.aborted && !isAbsent(error)) throw error
  }
}

function isAbsent(error: unknown): boolean {
  const absent = [
    'ENOENT',
    'ENOTDIR',
    'EACCES',
    'ELOOP',
    'ERR_INVALID_FILE_URL_PATH',
    'ERR_INVALID_FILE_URL_HOST',
    'ERR_INVALID_URL',
  ]
  return error instanceof PathDenied || absent.includes(systemCode(error) ?? '')
}

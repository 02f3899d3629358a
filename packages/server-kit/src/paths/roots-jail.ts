import process from 'node:process'
import { fileURLToPath } from 'node:url'

import { isRpcError, ToolError } from '@parley/mcp'
import type { Context } from '@parley/mcp/server'

import {
  directoryOf,
  findDirectory,
  readDirectoryRequest,
  type AllowedDirectory,
} from './allowed-directory.ts'
import { isInside } from './containment.ts'
import { isOnOtherHost } from './other-host.ts'
import { createPathJail, type PathJail, type PathJailOptions } from './path-jail.ts'

/** How clients' roots count. */
export type RootsRule = 'replace' | 'narrow' | 'ignore'

/** Which directories may be used, and what clients may say to that. */
export interface RootsJailOptions extends PathJailOptions {
  /**
   * `replace`: a client's roots take the place of the directories, for whoever started this process. `narrow`: roots
   * count as far as they are inside of the directories, for strangers. @defaultValue 'narrow'
   */
  readonly roots?: RootsRule | undefined
}

/** Files that the roots of a client have a say in. */
export interface RootsJail {
  /** The files this caller may use; asks for its roots if it has some. To be asked for first: a round may end here. */
  jailFor(context: Pick<Context, 'client' | 'listRoots'>): Promise<PathJail>
  /** Where nobody can be asked: the directories, or the roots that the last call brought. */
  readonly known: PathJail
  /** The same for one client. Nothing, as long as its roots will take the place of the directories and are not known. */
  knownFor(context: Pick<Context, 'client'>): PathJail
}

/** A path jail whose directories the roots of each client narrow or replace. */
export async function createRootsJail(options: RootsJailOptions): Promise<RootsJail> {
  const { directories, readOnly = false, roots: rule = 'narrow' } = options
  const base = await createPathJail({ directories, readOnly })
  let current = base
  let isRequested = false

  return {
    knownFor({ client }) {
      const isOpen = rule === 'replace' && !isRequested && client.capabilities.roots !== undefined
      return isOpen ? base.within([]) : current
    },
    get known() {
      return current
    },
    async jailFor({ client, listRoots }) {
      const hasRoots = rule !== 'ignore' && client.capabilities.roots !== undefined
      const roots = hasRoots ? await listRoots({ key: 'roots' }).catch(noneIfRejected) : []
      const found: AllowedDirectory[] = []
      for (const { uri } of roots) {
        const root = await findRoot(uri, readOnly, base.directories)
        if (root) found.push(...directoriesOf(root, base.directories, rule))
      }
      // Strangers share one process: what one of them said is nothing to another.
      const jail = found.length > 0 ? base.within(found) : base
      if (rule === 'replace') current = jail
      isRequested = true
      if (jail.directories.length > 0) return jail
      throw new ToolError(
        'No directories are allowed: start the server with some, or use a client that has roots.',
      )
    },
  }
}

/** A client that will not tell leaves everything as it is. */
function noneIfRejected(error: unknown): readonly [] {
  if (isRpcError(error)) return []
  throw error
}

/** The path of a root. Undefined if it is on another computer; throws for a URL that is no path of this system. */
export function rootPath(
  uri: string,
  named: readonly AllowedDirectory[],
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const isUrl = /^file:/i.test(uri)
  const path = isUrl ? fileURLToPath(uri, { windows: platform === 'win32' }) : uri
  const allowed = named.flatMap((item) => [item.path, item.realPath])
  const plain = path.replace(/^(?:ro|rw):/, '')
  return isOnOtherHost(plain, allowed, platform) ? undefined : path
}

/** The directory of a root; undefined for what is not here, no directory, or no path. */
async function findRoot(
  uri: string,
  isReadOnly: boolean,
  named: readonly AllowedDirectory[],
): Promise<AllowedDirectory | undefined> {
  try {
    const path = rootPath(uri, named)
    if (path === undefined) return undefined
    return await findDirectory({ path: readDirectoryRequest(path).path, isReadOnly })
  } catch {
    return undefined
  }
}

/** What a root stands for, beside the directories that were named. */
function directoriesOf(
  root: AllowedDirectory,
  named: readonly AllowedDirectory[],
  rule: RootsRule,
): readonly AllowedDirectory[] {
  // What may only be read is only read, by whatever name it comes.
  const around = directoryOf(root.realPath, named)
  const own = { ...root, isReadOnly: root.isReadOnly || (around?.isReadOnly ?? false) }
  const inner = named.filter(
    ({ realPath }) => realPath !== root.realPath && isInside(realPath, root.realPath),
  )
  if (rule === 'narrow') return around === undefined ? inner : [own, ...inner]
  return [own, ...inner.filter(({ isReadOnly }) => isReadOnly)]
}

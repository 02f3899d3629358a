import { isRpcError, ToolError } from '@parley/mcp'
import type { Context } from '@parley/mcp/server'
import { createPathJail, type PathJail } from '@parley/server-kit/paths'

import { createTurns, type InTurn } from './in-turn.ts'
import { directoriesFromRoots } from './roots.ts'
import { settingsOf, type FilesystemOptions, type Settings } from './settings.ts'

/** What tools and resources get at files through. */
export interface FileAccess {
  readonly settings: Settings
  /** The files this caller may use; asks for its roots if it has some. To be asked for first: a round may end here. */
  jailFor(context: Pick<Context, 'client' | 'listRoots'>): Promise<PathJail>
  /** Where nobody can be asked: the directories, or the roots that the last call brought. */
  readonly known: PathJail
  readonly inTurn: InTurn
}

export async function createFileAccess(options: FilesystemOptions): Promise<FileAccess> {
  const { directories, readOnly, roots: rule = 'narrow' } = options
  const base = await createPathJail({ directories, readOnly })
  let known = base

  return {
    settings: settingsOf(options),
    inTurn: createTurns(),
    get known() {
      return known
    },
    async jailFor({ client, listRoots }) {
      const hasRoots = rule !== 'ignore' && client.capabilities.roots !== undefined
      const roots = hasRoots ? await listRoots({ key: 'roots' }).catch(noneIfRefused) : []
      const found = await directoriesFromRoots(roots, base.directories, {
        rule,
        isReadOnly: readOnly ?? false,
      })
      // Strangers share one process: what one of them said is nothing to another.
      const jail = found.length > 0 ? base.within(found) : base
      if (rule === 'replace') known = jail
      if (jail.directories.length > 0) return jail
      throw new ToolError(
        'No directories are allowed: start the server with some, or use a client that has roots.',
      )
    },
  }
}

/** A client that will not tell leaves everything as it is. */
function noneIfRefused(error: unknown): readonly [] {
  if (isRpcError(error)) return []
  throw error
}

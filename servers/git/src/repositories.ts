import { resolve } from 'node:path'

import { ToolError } from '@parley/mcp'
import {
  GitError,
  realOrParent,
  type GitRunner,
  type Repository,
  type RepositoryPlaces,
} from '@parley/server-kit/git'
import { isInside } from '@parley/server-kit/paths'

/** The repositories a server may touch. */
export interface Repositories {
  readonly runner: GitRunner
  /** Where clones and new work trees go. */
  readonly directory: string | undefined
  /** Those that are known before anybody names one. */
  readonly known: readonly Repository[]
  open(path: string, signal?: AbortSignal): Promise<Repository>
}

/** What was allowed when the program started. */
export interface Allowed {
  /** Only this one and what is below it. @defaultValue any the user has */
  readonly repository?: string | undefined
  /** Also those in this folder. */
  readonly directory?: string | undefined
}

/** Finds out what is allowed. Throws unless the repository is one. */
export async function createRepositories(
  runner: GitRunner,
  { repository: named, directory: folder }: Allowed,
): Promise<Repositories> {
  const directory = folder === undefined ? undefined : await realOrParent(resolve(folder))
  const main =
    named === undefined ? undefined : await runner.open(resolve(named), { isNamedByOperator: true })
  const known = main ? [main] : []
  const trusted: readonly RepositoryPlaces[] = known
  // The part that was named, which may be below the top of the work tree.
  const top = named === undefined ? undefined : await realOrParent(resolve(named))
  const within = top === undefined ? undefined : directory === undefined ? [top] : [top, directory]

  return {
    runner,
    directory,
    known,
    async open(path, signal) {
      const wanted = resolve(top ?? process.cwd(), path)
      if (within && top !== undefined) {
        const real = await realOrParent(wanted).catch(() => '/')
        if (!within.some((one) => isInside(real, one))) throw outside(path, named ?? top)
      }
      const boundary = within && main ? [...within, main.workTree] : within
      return runner.open(wanted, {
        signal,
        within: boundary,
        trusted,
        isNamedByOperator: top !== undefined && wanted === top,
      })
    },
  }
}

function outside(path: string, allowed: string): ToolError {
  return new ToolError(`Repository path '${path}' is outside the allowed repository '${allowed}'`)
}

/** What git has to say is for the model; the rest is a fault of ours. */
export async function explained<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GitError) throw new ToolError(error.message, { cause: error })
    throw error
  }
}

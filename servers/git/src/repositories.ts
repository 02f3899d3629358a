import { resolve } from 'node:path'

import { ToolError } from '@parley/mcp'
import { createTurns, type InTurn } from '@parley/server-kit/files'
import {
  realOrParent,
  type GitRunner,
  type Repository,
  type RepositoryPaths,
} from '@parley/server-kit/git'
import { isInside, isOnOtherHost } from '@parley/server-kit/paths'

/** The repositories a server may touch. */
export interface Repositories {
  readonly runner: GitRunner
  /** Where clones and new work trees go. */
  readonly directory: string | undefined
  /** Those that are known before anybody names one. */
  readonly known: readonly Repository[]
  open(path: string, signal?: AbortSignal): Promise<Repository>
  /** What addresses of other repositories may begin with. */
  readonly remotes: readonly string[]
  /** Ask the user before talking to another machine. */
  readonly askConsent: boolean
  /** By what is changed: git does one thing at a time, and fails at the second. */
  readonly inTurn: InTurn
}

/** What was allowed when the program started. */
export interface Allowed {
  /** Only this one and what is below it. @defaultValue any the user has */
  readonly repository?: string | undefined
  /** Where clones and new work trees may be made; repositories there may be used. @defaultValue nowhere */
  readonly directory?: string | undefined
  /** Files or folders outside of a repository that its settings may include. @defaultValue none */
  readonly settingsFiles?: readonly string[] | undefined
  /** What addresses of other repositories may begin with. @defaultValue none may be reached */
  readonly remotes?: readonly string[] | undefined
  /** Ask the user before talking to another machine. @defaultValue true */
  readonly askConsent?: boolean | undefined
}

/** Finds out what is allowed. Throws unless the repository is one. */
export async function createRepositories(
  runner: GitRunner,
  { repository: named, directory: folder, remotes = [], askConsent = true, ...allowed }: Allowed,
  platform: NodeJS.Platform = process.platform,
): Promise<Repositories> {
  const files = allowed.settingsFiles ?? []
  const includes = await Promise.all(files.map((path) => realOrParent(resolve(path))))
  const directory = folder === undefined ? undefined : await realOrParent(resolve(folder))
  const main =
    named === undefined
      ? undefined
      : await runner.open(resolve(named), { isNamedByOperator: true, includes })
  const repositories = main ? [main] : []
  const trusted: readonly RepositoryPaths[] = repositories
  // The part that was named, which may be below the top of the work tree.
  const top = named === undefined ? undefined : await realOrParent(resolve(named))
  const within = top === undefined ? undefined : directory === undefined ? [top] : [top, directory]

  return {
    runner,
    directory,
    known: repositories,
    remotes,
    askConsent,
    inTurn: createTurns(),
    async open(path, signal) {
      const paths = [named ?? process.cwd(), top, directory].filter(
        (candidate) => candidate !== undefined,
      )
      if (isOnOtherHost(path, paths, platform)) throw onOtherHost(path)
      const wanted = resolve(top ?? process.cwd(), path)
      if (within && top !== undefined) {
        const real = await realOrParent(wanted).catch(() => '/')
        if (!within.some((candidate) => isInside(real, candidate)))
          throw outside(path, named ?? top)
      }
      const boundary = within && main ? [...within, main.workTree] : within
      return runner.open(wanted, {
        signal,
        within: boundary,
        trusted,
        includes,
        isNamedByOperator: top !== undefined && wanted === top,
      })
    },
  }
}

function onOtherHost(path: string): ToolError {
  return new ToolError(
    `Repository path '${path}' is on another computer: name a folder of this one, or start the server with a repository there`,
  )
}

function outside(path: string, allowed: string): ToolError {
  return new ToolError(`Repository path '${path}' is outside the allowed repository '${allowed}'`)
}

import { realpath } from 'node:fs/promises'
import { join } from 'node:path'

import {
  notARepository,
  objectFolders,
  realFolder,
  requireWithin,
  type Boundary,
  type RepositoryPaths,
} from './find-repository.ts'
import { GitError } from './git-error.ts'
import { requireUnmoved } from './moved-places.ts'
import { requireLocalFiles, requireLocalLinks } from './own-files.ts'
import { findGit } from './program.ts'
import { createRepository, type Repository, type RunOptions } from './repository.ts'
import { runGit, type GitOutput } from './run-git.ts'
import { gitEnvironment, type Setting } from './settings/environment.ts'
import { requireLocalIncludes, requireSteady } from './settings/includes.ts'
import { isOverridden, neutralised } from './settings/named-settings.ts'
import { readLocalSettings } from './settings/own-settings.ts'
import { fixedSettings } from './settings/safe-settings.ts'
import { readSubmodulesFor } from './settings/submodule-settings.ts'
import { readUserSettings } from './settings/user-settings.ts'

/** For lists that must be whole. */
const listBytes = 256 * 1024 * 1024

/** Which git runs, and within which limits. */
export interface GitRunnerOptions {
  /** @defaultValue 'git', looked for in PATH */
  readonly git?: string | undefined
  /** For one command. @defaultValue 30_000 */
  readonly timeoutMs?: number | undefined
  /** Kept of what one command says. @defaultValue 4 MiB */
  readonly outputBytes?: number | undefined
  /** Settings from whoever runs the program, over everything else. */
  readonly settings?: readonly Setting[] | undefined
  /** Take the name of the user and the look of their files from their own settings. @defaultValue true */
  readonly userSettings?: boolean | undefined
}

/** How a repository may be found. */
export interface OpenOptions extends Boundary {
  /** Stops looking for it. */
  readonly signal?: AbortSignal | undefined
  /** The operator named this very repository: it may belong to somebody else. @defaultValue false */
  readonly isNamedByOperator?: boolean | undefined
}

/** Runs git so that nothing in a repository runs: no hook, filter, driver, pager, editor or helper. */
export interface GitRunner {
  /** The repository a folder is in. */
  open(path: string, options?: OpenOptions): Promise<Repository>
  /** Runs a command outside of any repository, such as `clone`. */
  run(
    args: readonly string[],
    options: RunOptions & { readonly directory: string },
  ): Promise<GitOutput>
}

/** A runner. Git is looked for at once, so that a program without it says so when it starts. */
export function createGitRunner(options: GitRunnerOptions = {}): GitRunner {
  const {
    timeoutMs = 30_000,
    outputBytes = 4 * 1024 * 1024,
    settings: extraSettings = [],
  } = options
  const program = findGit(options.git ?? 'git')
  let ofUser: Promise<readonly Setting[]> | undefined

  function userSettings(): Promise<readonly Setting[]> {
    if (options.userSettings === false) return Promise.resolve([])
    ofUser ??= readUserSettings(program)
    return ofUser
  }

  function start(
    args: readonly string[],
    directory: string,
    settings: readonly Setting[],
    run: RunOptions,
    lockFiles: readonly string[] = [],
  ): Promise<GitOutput> {
    const { isWriting = false, protocols, input, signal, onProgress } = run
    return runGit({
      program: { file: program },
      args: ['--no-pager', '--literal-pathspecs', ...args],
      directory,
      environment: gitEnvironment([...settings, ...extraSettings], { protocols, isWriting }),
      input,
      timeoutMs: run.timeoutMs ?? timeoutMs,
      outputBytes: run.outputBytes ?? outputBytes,
      stopWhenFull: !isWriting,
      lockFiles: isWriting ? lockFiles : [],
      signal,
      onProgress,
    })
  }

  async function findPlaces(requestedPath: string, settings: readonly Setting[], run: RunOptions) {
    const args = [
      'rev-parse',
      '--path-format=absolute',
      '--show-toplevel',
      '--git-dir',
      '--git-common-dir',
    ]
    const { text, errors, exitCode } = await start(args, requestedPath, settings, {
      ...run,
      outputBytes: listBytes,
    })
    if (exitCode !== 0) {
      if (!errors.includes('dubious ownership')) throw notARepository(requestedPath)
      const message = `${requestedPath} belongs to another user. To trust it, name it when you start the program.`
      throw new GitError('refused', message)
    }
    // Older ones repeat what they do not know. They do not know our settings either, so nothing would hold.
    if (text.startsWith('-')) throw new GitError('no_git', 'git is too old: 2.31 is needed.')
    const [workTree = '', gitDirectory = '', commonDirectory = ''] = await Promise.all(
      text
        .split('\n')
        .slice(0, 3)
        .map((path) => realpath(path)),
    )
    return { workTree, gitDirectory, commonDirectory }
  }

  return {
    async open(path, { signal, isNamedByOperator = false, ...boundary } = {}) {
      const requestedPath = await realFolder(path)
      const trust: readonly Setting[] = isNamedByOperator ? [['safe.directory', '*']] : []
      const paths = await findPlaces(requestedPath, [...fixedSettings, ...trust], { signal })
      await requireWithin(requestedPath, paths, boundary)
      const runIn = (folder: string, args: readonly string[]) =>
        start(args, folder, fixedSettings, { signal, outputBytes: listBytes })
      const placed = (args: readonly string[]) => [...placesArguments(paths), ...args]
      const own = await readLocalSettings(paths.workTree, (args) =>
        runIn(paths.workTree, placed(args)),
      )
      // Where commands write, in this repository and in others that may be used beside it.
      const written = [...new Set(Object.values(paths)), ...(boundary.within ?? [])]
      await requireLocalLinks(paths, await objectFolders(paths.commonDirectory), written)
      const included = [...written, ...(boundary.includes ?? [])]
      await requireLocalIncludes(own.includes, included)
      await requireUnmoved(own.all, paths.workTree, written)
      const missing = (await userSettings()).filter(
        ([key]) => !own.current.has(key) || isOverridden(key),
      )
      const settings = [...neutralised(own.all.keys()), ...missing, ...fixedSettings]

      return createRepository(paths, own.all, async (args, run) => {
        const below = await readSubmodulesFor(args, paths.workTree, runIn, written)
        await requireLocalIncludes(below.includes, included)
        if (run.isWriting) {
          await requireSteady([...own.includes, ...below.includes], written)
          await requireLocalFiles(paths)
        }
        const all = [...neutralised(below.keys), ...settings]
        const locks = [join(paths.gitDirectory, 'index.lock')]
        return start(placed(guarded(args)), paths.workTree, all, { signal, ...run }, locks)
      })
    },

    async run(args, { directory, ...run }) {
      const settings = [...(await userSettings()), ...fixedSettings]
      const output = await start(args, directory, settings, run)
      const { exitCode } = output
      if (exitCode === 0 || run.accept?.includes(exitCode)) return output
      throw new GitError('failed', output.errors.trim() || 'git failed.', { exitCode })
    },
  }
}

/** Said in full: a setting that names another work tree has nothing to say. */
function placesArguments({ gitDirectory, workTree }: RepositoryPaths): readonly string[] {
  return [`--git-dir=${gitDirectory}`, `--work-tree=${workTree}`]
}

/** `blame.ignoreRevsFile` is a list that no setting empties, and errors tell the first line of any file in it. */
function guarded(args: readonly string[]): readonly string[] {
  const [command, ...rest] = args
  return command === 'blame' ? [command, '--no-ignore-revs-file', ...rest] : args
}

import type { RepositoryPaths } from './find-repository.ts'
import { GitError } from './git-error.ts'
import type { GitProgress } from './read/progress.ts'
import { requirePlain } from './revisions.ts'
import type { GitOutput } from './run-git.ts'
import { workTreePath } from './work-tree-path.ts'

/** How one command runs. */
export interface RunOptions {
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined
  /** What it reads from its standard input. @defaultValue nothing */
  readonly input?: string | undefined
  /** The command changes something. @defaultValue false */
  readonly isWriting?: boolean | undefined
  /** Ways to other repositories it may use, such as `https`. @defaultValue none */
  readonly protocols?: readonly string[] | undefined
  /** Ends other than 0 that are answers. */
  readonly accept?: readonly number[] | undefined
  /** Hears how far a transfer has come, if the arguments have `--progress`. */
  readonly onProgress?: ((progress: GitProgress) => void) | undefined
  /** The command is ended after this long. @defaultValue that of the runner, 30_000 */
  readonly timeoutMs?: number | undefined
  /** The most output that is kept. @defaultValue that of the runner, 4 MiB */
  readonly outputBytes?: number | undefined
}

/** A repository that was found where it may be. */
export interface Repository extends RepositoryPaths {
  /** Its own settings, the last of each name, also those of other branches and work trees. */
  readonly settings: ReadonlyMap<string, string>
  /** Runs a command of git. Arguments are the caller's business: resolve revisions and paths first. */
  run(args: readonly string[], options?: RunOptions): Promise<GitOutput>
  /** The commit behind a name. */
  commit(revision: string, what?: string): Promise<string>
  /** The same, undefined if there is none. */
  findCommit(revision: string, what?: string): Promise<string | undefined>
  /** Paths from the top of the work tree, if all are in there. */
  paths(paths: readonly string[]): Promise<readonly string[]>
}

/** A repository over a way to run git in it. */
export function createRepository(
  locations: RepositoryPaths,
  settings: ReadonlyMap<string, string>,
  run: (args: readonly string[], options: RunOptions) => Promise<GitOutput>,
): Repository {
  const repository: Repository = {
    ...locations,
    settings,

    async run(args, options = {}) {
      const output = await run(args, options)
      const { exitCode } = output
      if (exitCode === 0 || options.accept?.includes(exitCode)) return output
      throw new GitError('failed', firstOf(output.errors, output.text), { exitCode })
    },

    async commit(revision, what = 'revision') {
      const hash = await repository.findCommit(revision, what)
      if (hash !== undefined) return hash
      throw new GitError('unknown_revision', `There is no ${what} ${JSON.stringify(revision)}.`)
    },

    async findCommit(revision, what = 'revision') {
      requirePlain(revision, what)
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
      const { text, exitCode } = await repository.run(args, { accept: [1, 128] })
      return exitCode === 0 && /^[0-9a-f]{40,64}$/.test(text.trim()) ? text.trim() : undefined
    },

    paths: (paths) => Promise.all(paths.map((path) => workTreePath(locations.workTree, path))),
  }
  return repository
}

/** What git said last that is worth reading. */
function firstOf(errors: string, text: string): string {
  return errors.trim() || text.trim() || 'git failed without a message.'
}

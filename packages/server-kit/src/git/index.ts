export type { Setting } from './environment.ts'
export type { Boundary, RepositoryPlaces } from './find-repository.ts'
export { GitError, type GitErrorCode } from './git-error.ts'
export {
  createGitRunner,
  type GitRunner,
  type GitRunnerOptions,
  type OpenOptions,
} from './git-runner.ts'
export type { Repository, RunOptions } from './repository.ts'
export { requireNewName, requirePlain } from './revisions.ts'
export type { GitOutput } from './run-git.ts'
export { unsafeForTransfer } from './safe-settings.ts'
export { realOrParent } from './work-tree-path.ts'

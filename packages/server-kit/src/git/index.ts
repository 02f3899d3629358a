export { entriesOf } from './read/entries.ts'
export type { Setting } from './settings/environment.ts'
export { plainDiff, readChangedFiles, type ChangedFile } from './read/changed-files.ts'
export type { Boundary, RepositoryPaths } from './find-repository.ts'
export { GitError, type GitErrorCode } from './git-error.ts'
export {
  createGitRunner,
  type GitRunner,
  type GitRunnerOptions,
  type OpenOptions,
} from './git-runner.ts'
export type { GitProgress } from './read/progress.ts'
export { readBlame, type BlamedLine, type BlameRequest } from './read/read-blame.ts'
export { currentBranch, readBranches, type Branch } from './read/read-branches.ts'
export { readCommits, type Commit } from './read/read-commits.ts'
export { readStatus, type WorkTreeStatus } from './read/read-status.ts'
export { readWorktrees, type Worktree } from './read/read-worktrees.ts'
export { findRemote, requireRemotes, type RemoteRules, type Transfer } from './remotes.ts'
export type { Repository, RunOptions } from './repository.ts'
export { requireNewName, requirePlain } from './revisions.ts'
export type { GitOutput } from './run-git.ts'
export { unsafeForTransfer } from './settings/transfer-settings.ts'
export { realOrParent } from './work-tree-path.ts'

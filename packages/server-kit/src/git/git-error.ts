/** Why git did not do what it was asked to. */
export type GitErrorCode =
  /** There is no program to run. */
  | 'no_git'
  /** Nothing there is a repository. */
  | 'not_a_repository'
  /** A path leads out of where it may. */
  | 'outside'
  /** An argument that could be taken for something else, or settings that would run a program. */
  | 'refused'
  /** No such branch, tag or commit. */
  | 'unknown_revision'
  /** Git itself said no. */
  | 'failed'
  | 'timeout'
  | 'cancelled'

/** What went wrong with git; the message can be shown to whoever asked. */
export class GitError extends Error {
  /** Always `GitError`. */
  override readonly name = 'GitError'
  /** What went wrong, from a closed set. */
  readonly code: GitErrorCode
  /** Of git, when it ran and ended. */
  readonly exitCode: number | undefined

  /** `exitCode` is that of git, when it ran and ended. */
  constructor(code: GitErrorCode, message: string, options: { readonly exitCode?: number } = {}) {
    super(message)
    this.code = code
    this.exitCode = options.exitCode
  }
}

/** Why a path was refused. */
export type PathDenialReason =
  | 'text'
  | 'outside'
  | 'link'
  | 'ambiguous'
  | 'read_only'
  | 'changed'
  | 'kind'

/** A path the jail does not open. The message may be shown to whoever asked: it names nothing they did not. */
export class PathDenied extends Error {
  /** Always `PathDenied`. */
  override readonly name = 'PathDenied'
  /** Why, from a closed set. */
  readonly reason: PathDenialReason

  /** The message may be shown to whoever asked. */
  constructor(reason: PathDenialReason, message: string) {
    super(`Access denied - ${message}`)
    this.reason = reason
  }
}

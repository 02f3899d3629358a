/** Why a store could not be used. */
export type StoreErrorCode =
  /** What is there was not written by such a store. */
  | 'not_ours'
  /** Another process has held the lock for too long. */
  | 'locked'
  /** This process was silent for so long that others took its lock; nothing was written. */
  | 'lock_lost'
  /** More than the store is willing to hold in memory. */
  | 'too_large'

/** A store that cannot be read or written; the message says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

import { systemCode } from '../paths/system-error.ts'

/** Why a store could not be used. */
export type StoreErrorCode =
  /** What is there was not written by such a store. */
  | 'not_ours'
  /** Another process has held the lock for too long. */
  | 'locked'
  /** This process was silent for so long that others took its lock; nothing was written. */
  | 'lock_lost'
  /** More than the store is willing to hold in memory, or would be after a change; nothing was written. */
  | 'too_large'
  /** The system refused: no right, no room, a file where the folder should be. Its error is the `cause`. */
  | 'system'

/** A store that cannot be read or written; the message says what to do. */
export class StoreError extends Error {
  /** Always `StoreError`. */
  override readonly name = 'StoreError'
  /** What went wrong, from a closed set. */
  readonly code: StoreErrorCode

  /** The message says what to do. */
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** What the system said, with the file it is about and what can be done; other errors stay as they are. */
export function explainSystem(path: string, error: unknown): unknown {
  const code = systemCode(error)
  if (!(error instanceof Error) || code === undefined) return error
  const explanation = [`${path} cannot be used: ${error.message}.`, fixes[code]]
    .filter(Boolean)
    .join(' ')
  return new StoreError('system', explanation, { cause: error })
}

const noRight = 'Allow this user to read and write there, or name another file.'
const noCapacity = 'Make room on the disk.'
const noFolder = 'There is a file where its folder should be: move it away, or name another file.'

const fixes: { readonly [code: string]: string | undefined } = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: noRight,
  ENOSPC: noCapacity,
  EDQUOT: noCapacity,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
}

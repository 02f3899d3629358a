import type { MaybePromise } from '../../../rpc/promise.ts'
import type { ClientCapabilities } from '../../../schema/capabilities.ts'
import type { LoggingLevel } from '../../../schema/logging.ts'
import type { Implementation } from '../../../schema/metadata.ts'

/** What may change while a session lasts, and what has no room in its id. Plain JSON. */
export interface SessionFacts {
  /** The least severe log level that the client set; absent if it set none. */
  readonly logLevel?: LoggingLevel
  /** URIs whose changes the client hears about. */
  readonly subscriptions: readonly string[]
  /** What the client said about itself, if that is too long for the id. */
  readonly client?: {
    readonly clientInfo?: Implementation | undefined
    readonly capabilities: ClientCapabilities
  }
}

/** Facts, and which state of them this is. */
export interface SessionRecord {
  /** What is known about the session. */
  readonly facts: SessionFacts
  /** Rises by one with every update; 0 before the first. */
  readonly version: number
}

/** Of a session that nobody has changed. */
export const firstRecord: SessionRecord = Object.freeze({
  facts: Object.freeze({ subscriptions: Object.freeze([]) }),
  version: 0,
})

/**
 * What the processes that serve one endpoint have to tell each other about its sessions, by the key of each. Most have no
 * record: the id of a session says all that never changes. Throws, or rejects, when it cannot be reached. One in this
 * process answers at once, without a promise.
 */
export interface SessionRecords {
  /** The record; `ended` if the session is over, undefined if there is none. */
  get(key: string): MaybePromise<SessionRecord | 'ended' | undefined>
  /**
   * Writes facts if the stored version is still `version`; false if it is not, or if the session has ended. Forgotten after
   * `keepMs` without another.
   */
  update(key: string, record: SessionRecord, keepMs: number): MaybePromise<boolean>
  /** The session is over, whether or not it has a record. That is remembered for `keepMs`. */
  end(key: string, keepMs: number): MaybePromise<void>
}

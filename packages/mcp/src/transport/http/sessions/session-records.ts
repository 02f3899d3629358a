import type { MaybePromise } from '../../../rpc/promise.ts'
import type { ClientCapabilities } from '../../../schema/capabilities.ts'
import type { LoggingLevel } from '../../../schema/logging.ts'
import type { Implementation } from '../../../schema/metadata.ts'
import type { Revision } from '../../../schema/revision.ts'

/** What any process has to know to go on with a session. Plain JSON. */
export interface SessionFacts {
  readonly id: string
  readonly revision: Revision
  readonly clientInfo?: Implementation | undefined
  readonly capabilities: ClientCapabilities
  /** Whom it belongs to; empty for anybody. */
  readonly principal: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** At the latest, however much it is used. */
  readonly expiresAt: number
  /** The client has said `notifications/initialized`. */
  readonly isReady: boolean
  readonly logLevel?: LoggingLevel
  /** URIs whose changes the client hears about. */
  readonly subscriptions: readonly string[]
}

/** Facts, and which state of them this is. */
export interface SessionRecord {
  readonly facts: SessionFacts
  /** Rises by one with every update; 0 before the first. */
  readonly version: number
}

/**
 * The sessions of every process that serves the same endpoint. Throws, or rejects, when it cannot be reached. One in this
 * process answers at once, without a promise.
 */
export interface SessionRecords {
  get(id: string): MaybePromise<SessionRecord | undefined>
  /** Writes facts if the stored version is still `version`; false if it is not. Forgotten after `keepMs` without another. */
  update(record: SessionRecord, keepMs: number): MaybePromise<boolean>
  /** The session is over: gone from here at once, and in the list of those for as long as `listMs`. */
  revoke(id: string, listMs: number): MaybePromise<void>
  /** What was revoked after a cursor of an earlier answer; without one only a cursor for the next time. */
  revokedSince(
    cursor: string | undefined,
  ): MaybePromise<{ readonly ids: readonly string[]; readonly cursor: string }>
}

import type { MaybePromise } from '../../../rpc/promise.ts'

/** One stream of one session. */
export interface StreamRef {
  /** The session that it belongs to. */
  readonly sessionId: string
  /** Which stream of the session. */
  readonly streamId: string
}

/** Events that one stream gets at once. */
export interface EventBatch {
  /** The number of the first; they count from 1 on each stream, without gaps. */
  readonly firstSequence: number
  /** Events as they will be sent. Empty to make the stream known, or to end it. */
  readonly texts: readonly string[]
  /** Nothing will follow. */
  readonly isLast: boolean
  /** Describes open requests, so that another process can end the stream if this one dies. Returned with each page, never parsed. */
  readonly about?: string | undefined
}

/** Events that follow another one. */
export interface LogPage {
  /** Without gaps; none if there is nothing new yet. */
  readonly texts: readonly string[]
  /** The stream has ended with these. */
  readonly isLast: boolean
  /** The process that writes the stream, where there are several. */
  readonly writer?: string | undefined
  /** The last description by its writer. */
  readonly about?: string | undefined
}

/**
 * What was sent on streams, for readers that lost their connection. An event is here before it is on its way. A log that
 * keeps things elsewhere throws, or rejects, when it cannot be reached: writers then try again, readers come back later.
 * One in this process answers at once, without a promise.
 */
export interface EventLog {
  /**
   * All of the batch or nothing. What is here already is skipped, so that a batch may be sent again. False if the stream
   * is no longer the writer's: it was dropped, ended, or taken over.
   */
  append(stream: StreamRef, batch: EventBatch): MaybePromise<boolean>
  /** At most `limit` events that follow number `after`; undefined for a stream or a place that is not known, or not kept. */
  read(stream: StreamRef, after: number, limit: number): MaybePromise<LogPage | undefined>
  /** The last reader, at whichever process; undefined without one. */
  lastRead(stream: StreamRef): MaybePromise<LastRead | undefined>
  /** Calls back when there may be more to read. A hint: it may be missed, or come for nothing. Returns how to stop it. */
  watch(stream: StreamRef, wake: () => void): () => void
  /** Forgets all streams of a session. */
  dropSession(sessionId: string): MaybePromise<void>
  /** How much of a stream it keeps. Absent: as much as the option `replay` says. */
  readonly limits?: Pick<ReplayLimits, 'events' | 'bytes'> | undefined
  /** Absent in a log that ends with its process. */
  readonly ending?: StreamEnding | undefined
}

/** A reader of a stream. */
export interface LastRead {
  /** How long ago it last read. */
  readonly agoMs: number
  /** The number of the event that it had. */
  readonly after: number
}

/** Ends streams in the place of a writer that cannot: from then on that writer appends nothing more. */
export interface StreamEnding {
  /**
   * Ends a stream with these events if its writer's process is lost and `last.after` is the number of its last event. False
   * if it is not, or if that cannot be told yet.
   */
  endIfDisconnected(
    stream: StreamRef,
    last: { readonly writer: string; readonly after: number },
    makeTexts: () => readonly string[],
  ): MaybePromise<boolean>
  /** Ends a stream that this process writes, whatever has become of its events. False if it has ended, or is not known. */
  endOwn(stream: StreamRef, texts: readonly string[]): MaybePromise<boolean>
}

/** How much of a stream is kept for a reader that lost its connection. */
export interface ReplayLimits {
  /** The most events of one stream. */
  readonly events: number
  /** The most bytes of one stream. */
  readonly bytes: number
  /** After the end of the stream. */
  readonly keepMs: number
}

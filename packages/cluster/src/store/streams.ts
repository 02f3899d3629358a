/** One stream of one session. */
export interface StreamKey {
  /** The session. */
  readonly session: string
  /** Which stream of it. */
  readonly stream: string
}

/** Events that a stream gets in one step. */
export interface StreamBatch {
  /** The process that writes. The first batch makes it the stream's writer. */
  readonly writer: string
  /** The number of the first event; they count from 1 on each stream, without gaps. */
  readonly firstSequence: number
  /** May be empty: then the stream is only made known, or ended. */
  readonly texts: readonly string[]
  /** Nothing will follow. */
  readonly isLast: boolean
  /** Data stored about the stream from now on, and read with each page. Without it nothing changes. */
  readonly about?: string | undefined
  /** Called if the store knows that nobody has read the stream for `readMs`: then nobody has to hear of it at once. */
  readonly onUnread?: (() => void) | undefined
}

/** How much of a stream is kept. */
export interface StreamLimits {
  /** The most events. */
  readonly events: number
  /** The most bytes. */
  readonly bytes: number
  /** After its end. */
  readonly endedMs: number
  /** After the last event of a stream that has not ended. */
  readonly openMs: number
  /** Readers come at least so often, with or without a hint. Absent where that is not known. */
  readonly readMs?: number | undefined
}

/** The events after a given one. */
export interface StreamPage {
  /** The events, oldest first. */
  readonly texts: readonly string[]
  /** The stream has ended with the last of these. */
  readonly isLast: boolean
  /** The process that writes the stream. */
  readonly writer: string
  /** The writer's last data about the stream; empty before. */
  readonly about: string
}

/** Up to which event a process has written a stream. */
export interface StreamWriter {
  readonly writer: string
  /** The number of the last event. Undefined where it does not matter. */
  readonly last?: number | undefined
}

/** A reader of a stream. */
export interface StreamRead {
  readonly agoMs: number
  /** The number of the event that it had. */
  readonly after: number
}

/** Events sent on streams. An event is here before it is on its way to a client. */
export interface ClusterStreams {
  /**
   * All of the batch, or nothing. Events that are here already are skipped, so a batch may be sent again. False if the
   * stream is not the writer's any more: it was ended, dropped or taken over.
   */
  append(key: StreamKey, batch: StreamBatch, limits: StreamLimits): Promise<boolean>
  /**
   * The events after number `after`, at least one if there is one, and no more than `events` and `bytes` beyond it.
   * Undefined if the stream is unknown, or if the next event is not kept any more, or if `after` has not been written.
   */
  read(
    key: StreamKey,
    after: number,
    most: { readonly events: number; readonly bytes: number },
  ): Promise<StreamPage | undefined>
  /**
   * Ends a stream with these events in the place of its writer, who is fenced from now on. False if the stream has ended, or
   * if its writer is not that of `from`, or if its last event is another.
   */
  takeOver(
    key: StreamKey,
    from: StreamWriter,
    texts: readonly string[],
    limits: StreamLimits,
  ): Promise<boolean>
  /** Returns the last reader of the stream, as far as known; undefined without one. */
  lastRead(key: StreamKey): Promise<StreamRead | undefined>
  /** Forgets all streams of a session. */
  dropSession(session: string): Promise<void>
}

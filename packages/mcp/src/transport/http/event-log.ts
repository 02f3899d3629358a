/** One stream of one session. */
export interface StreamRef {
  readonly sessionId: string
  readonly streamId: string
}

/** An event as it was sent. */
export interface LogEvent {
  /** Counts from 1 on each stream, without gaps. */
  readonly sequence: number
  readonly text: string
}

/** What was sent on streams, for readers that lost their connection. An event is here before it is on its way. */
export interface EventLog {
  append(stream: StreamRef, event: LogEvent): void
  /** At most `limit` events that follow number `after`, in order; undefined if the next one is not kept. */
  read(stream: StreamRef, after: number, limit: number): readonly LogEvent[] | undefined
  drop(stream: StreamRef): void
  dropSession(sessionId: string): void
}

/** How much of a stream is kept for a reader that lost its connection. */
export interface ReplayLimits {
  readonly events: number
  readonly bytes: number
  /** After the end of the stream. */
  readonly keepMs: number
}

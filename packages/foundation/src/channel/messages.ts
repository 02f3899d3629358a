/** The messages on the one WebSocket between a page and its service: questions with answers, and events. */

/** Something that went wrong, with what to do. */
export interface Problem {
  /** The kind of error, for programs. */
  readonly code: string
  /** The error, for people. */
  readonly message: string
  /** The fix, if it is known. */
  readonly hint?: string | undefined
  /** Facts that belong to the code. */
  readonly details?: { readonly [name: string]: unknown } | undefined
}

/** Everything a page may ask, by name: what it sends and what it gets. */
export type ChannelMethods<Methods> = {
  [Name in keyof Methods]: {
    /** The params that the page sends. */
    params: unknown
    /** The result of the service. */
    result: unknown
  }
}

/** A message of a service: an answer to the question `id`, or an event. */
export type ChannelMessage<Events> =
  | {
      /** The id of the question. */
      readonly id: number
      /** The answer. */
      readonly result: unknown
    }
  | {
      /** The id of the question. */
      readonly id: number
      /** Why there is no answer. */
      readonly error: Problem
    }
  | ChannelEvent<Events>

/** An event with what it tells. */
export type ChannelEvent<Events> = {
  [Name in keyof Events]: {
    /** The name of the event. */
    readonly event: Name
    /** The content of the event. */
    readonly data: Events[Name]
  }
}[keyof Events]

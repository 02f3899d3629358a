/** What crosses the one WebSocket between a page and its service: questions with answers, and events. */

/** Something that went wrong, with what to do. */
export interface Problem {
  /** What went wrong, by a name that programs can compare. */
  readonly code: string
  /** What went wrong, for people. */
  readonly message: string
  /** What to do about it, if that is known. */
  readonly hint?: string | undefined
  /** Facts that belong to the code. */
  readonly details?: { readonly [name: string]: unknown } | undefined
}

/** Everything a page may ask, by name: what it sends and what it gets. */
export type ChannelMethods<Methods> = {
  [Name in keyof Methods]: {
    /** What the page sends. */
    params: unknown
    /** What the service answers. */
    result: unknown
  }
}

/** What a service sends: an answer to the question `id`, or an event, which nobody asked for. */
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
    /** What it tells. */
    readonly data: Events[Name]
  }
}[keyof Events]

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
  [Name in keyof Methods]: { params: unknown; result: unknown }
}

/** What a service sends: an answer to the question `id`, or an event, which nobody asked for. */
export type ChannelMessage<Events> =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: Problem }
  | ChannelEvent<Events>

/** An event with what it tells. */
export type ChannelEvent<Events> = {
  [Name in keyof Events]: { readonly event: Name; readonly data: Events[Name] }
}[keyof Events]

/** `_meta`. Keys under `io.modelcontextprotocol/` are refused when an application sets them. */
export interface MetaObject {
  readonly [key: string]: unknown
}

/** A picture for people to recognise something by. */
export interface Icon {
  /** An `https:` or `data:` address of the picture. */
  readonly src: string
  /** What kind of picture, where the address does not say. */
  readonly mimeType?: string
  /** Sizes it is drawn for, such as `48x48` or `any`. */
  readonly sizes?: readonly string[]
  /** The background it is drawn for. */
  readonly theme?: 'light' | 'dark'
}

/** Which program speaks: a client or a server, by name and version. */
export interface Implementation {
  /** For programs. */
  readonly name: string
  readonly version: string
  /** For people. */
  readonly title?: string
  readonly description?: string
  /** Where people read more about it. */
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

/** Who speaks in a conversation. */
export type Role = 'user' | 'assistant'

/** Hints about who content is for and how much it matters. */
export interface Annotations {
  /** Whom it is meant for. */
  readonly audience?: readonly Role[]
  /** From 0, may be left out, to 1, needed. */
  readonly priority?: number
  /** When it last changed, as an ISO 8601 time. */
  readonly lastModified?: string
}

import type { Transcript, TranscriptStore } from '@parley/host'

/** A conversation in a list. */
export interface ConversationSummary {
  /** Its id. */
  readonly id: string
  /** What lists call it. */
  readonly title: string
  /** The model it was last asked with. */
  readonly model: string
  /** How many turns it has. */
  readonly turns: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Milliseconds since the epoch. */
  readonly changedAt: number
  /** The id that all versions of the conversation share; without it there is one version. */
  readonly thread?: string | undefined
}

/** One of several versions of a conversation. */
export interface ConversationVersion {
  /** Its id, as of any conversation. */
  readonly id: string
  /** The version that its first turns come from; the first version has none. */
  readonly parent?: string | undefined
  /** The first turn that differs from its parent. */
  readonly turn: number
}

/** Where conversations last. What `append` has resolved for survives the end of the process, however it ends. */
export interface ConversationStore extends TranscriptStore, AsyncDisposable {
  /** Newest first, each in its newest version; with `search` those whose title or text has the words. */
  list(options?: {
    readonly search?: string | undefined
    readonly before?: { readonly changedAt: number; readonly id: string } | undefined
    /** @defaultValue 50 */
    readonly limit?: number | undefined
  }): Promise<readonly ConversationSummary[]>
  /** A new conversation without turns. */
  create(about: {
    readonly model: string
    readonly title?: string | undefined
  }): Promise<ConversationSummary>
  /** Undefined if there is none. */
  load(id: string): Promise<(ConversationSummary & { readonly transcript: Transcript }) | undefined>
  /** A title, or the model of the next turn. */
  change(
    id: string,
    change: { readonly title?: string | undefined; readonly model?: string | undefined },
  ): Promise<ConversationSummary>
  /** Deletes a conversation with all its versions. */
  remove(id: string): Promise<void>
  /** A new conversation that begins with the first turns of this one. */
  fork(id: string, turns: number): Promise<ConversationSummary>
  /** A new version that begins with the turns before that one; the conversation stays as another version. */
  revise(id: string, turn: number): Promise<ConversationSummary>
  /** Every version of a conversation, oldest first; none if there is only one. */
  versions(id: string): Promise<readonly ConversationVersion[]>
}

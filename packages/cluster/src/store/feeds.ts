/** What has happened, in order, for every process that wants to know. */
export interface Feeds {
  /** Adds an entry. Each is kept for `keepMs` at least, unless more than `maxFeedEntries` follow it. */
  append(feed: string, text: string, keepMs: number): Promise<void>
  /** Entries after a cursor of an earlier answer. Without a cursor there are none, only a cursor for the next time. */
  readSince(feed: string, cursor: string | undefined): Promise<FeedPage>
}

/** What a feed got since a cursor. */
export interface FeedPage {
  /** At most `feedPageSize`; a full page means that there may be more. */
  readonly texts: readonly string[]
  /** Where to read on. */
  readonly cursor: string
  /** Entries between the cursor and these are lost: they were not kept so long, or the store lost its data. */
  readonly hasGap: boolean
}

/** Entries of one feed that a store keeps at most. */
export const maxFeedEntries = 10_000

/** Entries that one call reads at most. */
export const feedPageSize = 500

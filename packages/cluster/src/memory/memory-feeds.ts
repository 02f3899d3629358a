import { randomUUID } from 'node:crypto'

import { feedPageSize, maxFeedEntries, type Feeds } from '../store/feeds.ts'

interface Feed {
  entries: { readonly text: string; readonly until: number }[]
  /** The number of the entry before the first. */
  dropped: number
}

export function createMemoryFeeds(now: () => number): Feeds {
  const feeds = new Map<string, Feed>()
  const era = randomUUID().slice(0, 8)

  function feedOf(name: string): Feed {
    const known = feeds.get(name)
    if (known) return known
    const made: Feed = { entries: [], dropped: 0 }
    feeds.set(name, made)
    return made
  }

  function trim(feed: Feed): void {
    let count = Math.max(0, feed.entries.length - maxFeedEntries)
    while ((feed.entries[count]?.until ?? Infinity) <= now()) count += 1
    feed.entries.splice(0, count)
    feed.dropped += count
  }

  return {
    async append(name, text, keepMs) {
      const feed = feedOf(name)
      feed.entries.push({ text, until: now() + keepMs })
      trim(feed)
    },

    async readSince(name, cursor) {
      const feed = feedOf(name)
      const last = feed.dropped + feed.entries.length
      if (cursor === undefined) return { texts: [], cursor: `${era}.${last}`, hasGap: false }
      const [seenEra, number] = cursor.split('.')
      const after = seenEra === era ? Number(number) : 0
      const hasGap = seenEra !== era || after < feed.dropped
      const from = Math.max(after, feed.dropped)
      const page = feed.entries.slice(from - feed.dropped, from - feed.dropped + feedPageSize)
      const texts = page.map(({ text }) => text)
      return { texts, cursor: `${era}.${from + texts.length}`, hasGap }
    },
  }
}

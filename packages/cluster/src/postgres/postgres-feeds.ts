import {
  feedPageSize,
  maxFeedEntries,
  type FeedPage,
  type ClusterFeeds,
} from '../store/cluster-store.ts'
import { decodeFeedCursor, encodeFeedCursor, randomName } from '../store/feed-cursor.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import { bytesOf, keyOf, textsOf } from './names.ts'
import type { PostgresQueries, Row } from './postgres-queries.ts'

/** A feed's row has its era and the number of its last entry. */
export function createPostgresFeeds({ rows }: PostgresQueries, schema: string): ClusterFeeds {
  // The update locks the feed's row, so entries become visible in the order of their numbers.
  const append = `WITH numbered AS (
      INSERT INTO ${schema}.feeds AS known (feed, era, last, kept_until)
      VALUES ($1, $2, 1, clock_timestamp() + interval '1 day' + $5::float8 * interval '1 millisecond')
      ON CONFLICT (feed) DO UPDATE
        SET last = known.last + 1, kept_until = greatest(known.kept_until, excluded.kept_until)
      RETURNING last
    ), added AS (
      INSERT INTO ${schema}.feed_entries (feed, number, mark, text, kept_until)
      SELECT $1, last, $3, $4, clock_timestamp() + $5::float8 * interval '1 millisecond' FROM numbered
    )
    DELETE FROM ${schema}.feed_entries WHERE feed = $1 AND number <= (SELECT last FROM numbered) - $6::bigint`
  const isEnding = `kept_until < clock_timestamp() + interval '12 hours' AS is_ending`
  const end = `SELECT era, last, ${isEnding}, (SELECT mark FROM ${schema}.feed_entries AS e WHERE e.feed = f.feed AND number = last) AS mark
    FROM ${schema}.feeds AS f WHERE feed = $1`
  const read = `WITH facts AS (
      SELECT era, last, ${isEnding}, coalesce((SELECT min(number) FROM ${schema}.feed_entries WHERE feed = $1) - 1, last) AS dropped
      FROM ${schema}.feeds WHERE feed = $1
    ), compared AS (
      SELECT era, is_ending, dropped, era <> $2 OR $3::bigint < dropped OR $3::bigint > last OR ($4 <> '' AND EXISTS (
        SELECT FROM ${schema}.feed_entries WHERE feed = $1 AND number = $3::bigint AND mark <> $4)) AS has_gap
      FROM facts
    ), begun AS (
      SELECT era, is_ending, has_gap, CASE WHEN has_gap THEN dropped ELSE $3::bigint END AS start FROM compared
    )
    SELECT era, is_ending, has_gap, start, page.texts, page.mark FROM begun, LATERAL (
      SELECT array_agg(text ORDER BY number) AS texts, (array_agg(mark ORDER BY number DESC))[1] AS mark
      FROM (
        SELECT number, text, mark FROM ${schema}.feed_entries
        WHERE feed = $1 AND number > start ORDER BY number LIMIT $5
      ) AS following
    ) AS page`
  const keep = `INSERT INTO ${schema}.feeds AS known (feed, era, last, kept_until)
    VALUES ($1, $2, 0, clock_timestamp() + interval '1 day')
    ON CONFLICT (feed) DO UPDATE SET kept_until = greatest(known.kept_until, excluded.kept_until)`

  /** Reading begins a feed, and keeps it: a day after the last time, its readers have a gap. */
  async function readStored(feed: string, query: string, values: readonly unknown[]): Promise<Row> {
    const [row] = await rows(query, [feed, ...values])
    if (row?.['is_ending'] === false) return row
    await rows(keep, [feed, randomName()])
    const [again = {}] = await rows(query, [feed, ...values])
    return again
  }

  return {
    async append(feed, text, keepMs) {
      const own = [randomName(), randomName(), bytesOf(text), wholeMs(keepMs)]
      await rows(append, [keyOf(feed), ...own, maxFeedEntries])
    },

    async readSince(feed, cursor) {
      if (cursor === undefined) {
        const row = await readStored(keyOf(feed), end, [])
        return { texts: [], cursor: cursorOf(row, Number(row['last']), row['mark']), hasGap: false }
      }
      const { generation, number, mark } = decodeFeedCursor(cursor)
      const row = await readStored(keyOf(feed), read, [generation, number, mark, feedPageSize])
      return pageOf(row, mark)
    },
  }
}

function pageOf(row: Row, seenMark: string): FeedPage {
  const texts = textsOf(row['texts'])
  const hasGap = row['has_gap'] === true
  const mark = texts.length > 0 ? row['mark'] : hasGap ? '' : seenMark
  return { texts, cursor: cursorOf(row, Number(row['start']) + texts.length, mark), hasGap }
}

function cursorOf({ era }: Row, number: number, mark: unknown): string {
  return encodeFeedCursor({
    generation: String(era),
    number,
    mark: typeof mark === 'string' ? mark : '',
  })
}

import type { PostgresQueries } from './postgres-queries.ts'

/** Rows that one statement deletes at most: a longer one would keep others waiting. */
const portion = 500

/** Deletes what has expired, from time to time, until it is disposed of. Nothing depends on it but the size of the tables. */
export function createPostgresSweeper(
  { rows }: PostgresQueries,
  schema: string,
  everyMs: number,
): Disposable {
  const keysOf = {
    records: 'owner, id',
    once_marks: 'key',
    leases: 'key',
    budgets: 'key',
    streams: 'session, stream',
    feeds: 'feed',
  }
  const statements = Object.entries(keysOf).map(
    ([table, keys]) => `DELETE FROM ${schema}.${table} WHERE (${keys}) IN (
      SELECT ${keys} FROM ${schema}.${table} WHERE kept_until <= clock_timestamp()
      LIMIT ${portion} FOR UPDATE SKIP LOCKED) RETURNING 1`,
  )
  // Only from the beginning of a feed: what is missing between entries would not be noticed.
  statements.push(`DELETE FROM ${schema}.feed_entries AS entry USING (
      SELECT feed, coalesce(
        (SELECT min(number) FROM ${schema}.feed_entries AS e WHERE e.feed = f.feed AND kept_until > clock_timestamp()),
        last + 1) AS first_kept,
        (SELECT min(number) FROM ${schema}.feed_entries AS e WHERE e.feed = f.feed) AS first
      FROM ${schema}.feeds AS f
    ) AS kept
    WHERE entry.feed = kept.feed AND entry.number < kept.first_kept AND entry.number < kept.first + ${portion}
    RETURNING 1`)
  let isSweeping = false
  let isDisposed = false

  async function sweep(): Promise<void> {
    for (const statement of statements) {
      for (let isMore = true; isMore && !isDisposed;) {
        const deleted = await rows(statement, [])
        isMore = deleted.length >= portion
      }
    }
  }

  const timer = setInterval(() => {
    if (isSweeping) return
    isSweeping = true
    sweep()
      .catch(() => undefined) // the next time
      .finally(() => {
        isSweeping = false
      })
  }, everyMs).unref()

  return {
    [Symbol.dispose]() {
      isDisposed = true
      clearInterval(timer)
    },
  }
}

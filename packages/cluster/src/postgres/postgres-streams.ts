import type { StreamKey, StreamLimits, ClusterStreams } from '../store/streams.ts'
import { wholeCount, wholeMs } from '../store/whole-numbers.ts'
import { bytesOf, keyOf, textOf } from './names.ts'
import type { PostgresQueries } from './postgres-queries.ts'

export function createPostgresStreams({ rows }: PostgresQueries, schema: string): ClusterStreams {
  const append = `SELECT ${schema}.append_stream($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS done`
  const takeOver = `SELECT ${schema}.take_over_stream($1, $2, $3, $4, $5, $6, $7, $8, $9) AS done`
  // The texts as one value and their sizes: the driver would take a list of bytes apart character by character.
  const read = `SELECT is_last, writer, about,
      (SELECT string_agg(text, ''::bytea ORDER BY place) FROM unnest(texts) WITH ORDINALITY AS found (text, place)) AS joined,
      (SELECT string_agg(octet_length(text)::text, ',' ORDER BY place)
        FROM unnest(texts) WITH ORDINALITY AS found (text, place)) AS sizes
    FROM ${schema}.read_stream($1, $2, $3, $4, $5)`
  const lastRead = `SELECT extract(epoch FROM clock_timestamp() - read_at) * 1000 AS ago, read_after FROM ${schema}.streams
    WHERE session = $1 AND stream = $2 AND read_at IS NOT NULL AND kept_until > clock_timestamp()`
  const drop = `DELETE FROM ${schema}.streams WHERE session = $1`

  return {
    async append(key, { writer, firstSequence, texts, isLast, about }, limits) {
      const aboutBytes = about === undefined ? null : bytesOf(about)
      const own = [bytesOf(writer), firstSequence, texts.map(bytesOf), isLast, aboutBytes]
      const [row] = await rows(append, [...namesOf(key), ...own, ...limitsOf(limits)])
      return row?.['done'] === true
    },

    async read(key, after, { events, bytes }) {
      const [row] = await rows(read, [
        ...namesOf(key),
        after,
        wholeCount(events),
        wholeCount(bytes),
      ])
      if (row === undefined) return undefined
      const { joined, sizes, is_last: isLast, writer, about } = row
      return {
        texts: splitTexts(joined, sizes),
        isLast: isLast === true,
        writer: textOf(writer),
        about: textOf(about),
      }
    },

    async takeOver(key, { writer, last = null }, texts, limits) {
      const own = [bytesOf(writer), last, texts.map(bytesOf)]
      const values = [...namesOf(key), ...own, ...limitsOf(limits)]
      const [row] = await rows(takeOver, values)
      return row?.['done'] === true
    },

    async lastRead(key) {
      const [row] = await rows(lastRead, namesOf(key))
      return row && { agoMs: Math.max(0, Number(row['ago'])), after: Number(row['read_after']) }
    },

    async dropSession(session) {
      await rows(drop, [keyOf(session)])
    },
  }
}

/** The texts of a page; there are none if the values are null. */
function splitTexts(joined: unknown, sizes: unknown): string[] {
  if (!Buffer.isBuffer(joined) || typeof sizes !== 'string') return []
  let end = 0
  return sizes.split(',').map((size) => joined.toString('utf8', end, (end += Number(size))))
}

function namesOf({ session, stream }: StreamKey): readonly string[] {
  return [keyOf(session), keyOf(stream)]
}

function limitsOf({ events, bytes, endedMs, openMs }: StreamLimits): readonly number[] {
  return [wholeCount(events), wholeCount(bytes), wholeMs(endedMs), wholeMs(openMs)]
}

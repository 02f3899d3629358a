import type { ClusterRecords } from '../store/cluster-store.ts'
import { wholeCount, wholeMs } from '../store/whole-numbers.ts'
import { bytesOf, keyOf, textOf } from './names.ts'
import type { PostgresQueries } from './postgres-queries.ts'

export function createPostgresRecords({ rows }: PostgresQueries, schema: string): ClusterRecords {
  const get = `SELECT text, version FROM ${schema}.records
    WHERE owner = $1 AND id = $2 AND kept_until > clock_timestamp()`
  const create = `INSERT INTO ${schema}.records AS known (owner, id, text, version, ordinal, kept_until)
    VALUES ($1, $2, $3, 1, nextval('${schema}.ordinals'), clock_timestamp() + $4::float8 * interval '1 millisecond')
    ON CONFLICT (owner, id) DO UPDATE
      SET text = excluded.text, version = 1, ordinal = excluded.ordinal, kept_until = excluded.kept_until
      WHERE known.kept_until <= clock_timestamp()
    RETURNING version`
  const change = `UPDATE ${schema}.records
    SET text = $3, version = version + 1, kept_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
    WHERE owner = $1 AND id = $2 AND version = $5 AND kept_until > clock_timestamp()
    RETURNING version`
  const remove = `DELETE FROM ${schema}.records WHERE owner = $1 AND id = $2`
  const list = `SELECT text, ordinal FROM ${schema}.records
    WHERE owner = $1 AND ordinal > $2 AND kept_until > clock_timestamp() ORDER BY ordinal LIMIT $3`

  return {
    async get({ group, id }) {
      const [row] = await rows(get, [keyOf(group), keyOf(id)])
      return row && { text: textOf(row['text']), version: Number(row['version']) }
    },

    async put({ group, id }, text, expected, keepMs) {
      const values = [keyOf(group), keyOf(id), bytesOf(text), wholeMs(keepMs)]
      const written =
        expected === 0 ? await rows(create, values) : await rows(change, [...values, expected])
      return written.length === 1
    },

    async remove({ group, id }) {
      await rows(remove, [keyOf(group), keyOf(id)])
    },

    async list(group, cursor = '0', limit) {
      if (!/^\d{1,18}$/.test(cursor)) return { texts: [] }
      const found = await rows(list, [keyOf(group), cursor, wholeCount(limit) + 1])
      const page = found.slice(0, limit)
      const texts = page.map(({ text }) => textOf(text))
      const last = page.at(-1)
      return found.length > limit && last ? { texts, cursor: String(last['ordinal']) } : { texts }
    },
  }
}

import type { OnceMarks } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import { keyOf } from './names.ts'
import type { PostgresQueries } from './postgres-queries.ts'

export function createPostgresOnceMarks({ rows }: PostgresQueries, schema: string): OnceMarks {
  const add = `INSERT INTO ${schema}.once_marks AS known (key, kept_until)
    VALUES ($1, clock_timestamp() + $2::float8 * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET kept_until = excluded.kept_until WHERE known.kept_until <= clock_timestamp()
    RETURNING true AS added`
  return {
    async add(key, keepMs) {
      const added = await rows(add, [keyOf(key), wholeMs(keepMs)])
      return added.length === 1
    },
  }
}

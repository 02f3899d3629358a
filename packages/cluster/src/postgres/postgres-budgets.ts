import type { ClusterBudgets } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import { keyOf } from './names.ts'
import type { PostgresQueries } from './postgres-queries.ts'

export function createPostgresBudgets({ rows }: PostgresQueries, schema: string): ClusterBudgets {
  // $2 is what is wanted, $3 what the budget holds, $4 the time in which it fills.
  const take = `INSERT INTO ${schema}.budgets AS known (key, granted, amount, filled_at, kept_until)
    SELECT $1, first.granted, least($3::float8, $3 - first.granted), at, at + $4::float8 * interval '1 millisecond'
      FROM (SELECT least($2::float8, floor($3::float8)) AS granted, clock_timestamp() AS at) AS first
    ON CONFLICT (key) DO UPDATE SET (granted, amount, filled_at, kept_until) = (
      SELECT taken.granted, least($3, filled - taken.granted), at, at + $4 * interval '1 millisecond' FROM (
        SELECT at, filled, least($2, floor(filled)) AS granted FROM (
          SELECT at, least($3, known.amount + greatest(0, extract(epoch FROM at - known.filled_at)::float8) * 1000 * $3 / $4)
            AS filled
          FROM (SELECT clock_timestamp() AS at) AS clock
        ) AS level
      ) AS taken
    )
    RETURNING granted`
  return {
    async take(key, wanted, capacity, windowMs) {
      const [row] = await rows(take, [keyOf(key), wanted, capacity, wholeMs(windowMs)])
      return Number(row?.['granted'] ?? 0)
    },
  }
}

import type { ClusterLeases } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import { bytesOf, keyOf, textOf } from './names.ts'
import type { PostgresQueries } from './postgres-queries.ts'

/** `checkFormat` gets the format of the schema with every renewal, and throws for one that this version does not know. */
export function createPostgresLeases(
  { rows }: PostgresQueries,
  schema: string,
  checkFormat: (format: number) => void,
): ClusterLeases {
  const renew = `INSERT INTO ${schema}.leases (key, node, info, kept_until)
    VALUES ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET info = excluded.info, kept_until = excluded.kept_until
    RETURNING (SELECT version FROM ${schema}.format) AS format`
  const isAlive = `SELECT FROM ${schema}.leases WHERE key = $1 AND kept_until > clock_timestamp()`
  const release = `DELETE FROM ${schema}.leases WHERE key = $1`
  const alive = `SELECT node, info FROM ${schema}.leases WHERE kept_until > clock_timestamp()`
  const count = `SELECT count(*) AS count FROM ${schema}.leases WHERE kept_until > clock_timestamp()`
  return {
    async renew(node, leaseMs, info) {
      const values = [keyOf(node), bytesOf(node), bytesOf(info), wholeMs(leaseMs)]
      const [row] = await rows(renew, values)
      checkFormat(Number(row?.['format'])) // a newer version may have come while this process was away
    },
    async isAlive(node) {
      const found = await rows(isAlive, [keyOf(node)])
      return found.length === 1
    },
    async release(node) {
      await rows(release, [keyOf(node)])
    },
    async alive() {
      const found = await rows(alive, [])
      const nodes = found.map(({ node, info }) => ({ node: textOf(node), info: textOf(info) }))
      return nodes.toSorted((a, b) => (a.node < b.node ? -1 : 1))
    },
    async count() {
      const [row] = await rows(count, [])
      return Number(row?.['count'])
    },
  }
}

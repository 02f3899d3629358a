import { parseUrl } from '@parley/mcp/address'
import type { PoolConfig } from 'pg'

import { StoreUnavailable } from '../store/cluster-store.ts'
import { explainStart, networkProblems, type StartProblem } from '../store/start-problem.ts'
import type { PostgresStoreOptions } from './postgres-store.ts'

const problems: readonly StartProblem[] = [
  {
    sign: /28P01|28000/,
    fix: 'correct user and password, as in postgres://user:password@host:5432/database',
  },
  { sign: /3D000/, fix: 'create the database, or correct its name' },
  {
    sign: /does not support SSL/,
    fix: 'leave out sslmode and `ssl`, or turn on ssl in the server',
  },
  {
    sign: /42501/,
    fix: 'give the role the right to it',
  },
  ...networkProblems,
]

/** The error that a start rejects with: its place, cause and cure. Others than those of the connection stay as they are. */
export function explainPostgresStart(options: PostgresStoreOptions, error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  return explainStart(error.cause ?? error, positionOf(options), problems)
}

/** Throws for an address that is none of a PostgreSQL server. */
export function checkConnectionString(text: string | undefined): void {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text ?? '') ?? []
  if (scheme === undefined || /^(postgres(ql)?|socket)$/i.test(scheme)) return
  throw new Error(
    `\`connectionString\` begins with ${scheme}://, which is not an address of PostgreSQL: write postgres://user:password@host:5432/database`,
  )
}

/** Where it connects to, without its password. */
function positionOf({ connectionString, connection, pool }: PostgresStoreOptions): string {
  const { host = 'localhost', port = 5432 }: PoolConfig = pool?.options ?? connection ?? {}
  const url = parseUrl(connectionString ?? '')
  return `PostgreSQL at ${url ? url.host || host : `${host}:${port}`}`
}

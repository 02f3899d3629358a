import type { Pool, PoolClient } from 'pg'

import { StoreUnavailable } from '../store/cluster-store.ts'
import { withDeadline } from '../store/deadline.ts'

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/** Runs statements: each is answered within the deadline, or rejects with `StoreUnavailable`. */
export interface PostgresQueries {
  rows(statement: string, values: readonly unknown[]): Promise<readonly Row[]>
  /** All of these statements, or none. Rejects with the errors of the server. */
  transaction(statements: readonly string[]): Promise<void>
}

/** Statements that wait for a connection. A server that does not answer must not fill this process's memory. */
const maxWaiting = 10_000
/** Errors after which the same statement may succeed: a conflict between transactions, a deadlock. */
const passing: ReadonlySet<string> = new Set(['40001', '40P01'])
const maxTries = 5

export function createPostgresQueries(pool: Pool, timeoutMs: number): PostgresQueries {
  let waiting = 0

  async function acquire(): Promise<PoolClient> {
    if (waiting >= maxWaiting) {
      throw new StoreUnavailable(`${maxWaiting} statements are waiting for PostgreSQL`)
    }
    waiting += 1
    let isLate = false
    const connecting = pool.connect().finally(() => {
      waiting -= 1
    })
    connecting.then(
      (client) => {
        hearErrors(client)
        if (isLate) client.release()
      },
      () => undefined,
    )
    try {
      return await withDeadline(connecting, timeoutMs, 'PostgreSQL')
    } catch (error) {
      isLate = true
      throw error
    }
  }

  /** A connection on which an answer is missing is closed. */
  async function onClient<Result>(
    use: (client: PoolClient) => Promise<Result>,
    maxMs: number,
  ): Promise<Result> {
    const client = await acquire()
    let isLate = false
    try {
      return await withDeadline(use(client), maxMs, 'PostgreSQL')
    } catch (error) {
      isLate = error instanceof StoreUnavailable
      throw error
    } finally {
      client.release(isLate)
    }
  }

  async function attempt(statement: string, values: readonly unknown[]): Promise<readonly Row[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { rows } = await onClient(
          (client) => client.query<Record<string, unknown>>(statement, [...values]),
          timeoutMs,
        )
        return rows
      } catch (error) {
        if (tries === maxTries || !passing.has(codeOf(error))) throw error
      }
    }
  }

  return {
    async rows(statement, values) {
      try {
        return await attempt(statement, values)
      } catch (error) {
        throw unavailable(error)
      }
    },
    async transaction(statements) {
      await onClient(async (client) => {
        try {
          for (const statement of ['BEGIN', ...statements, 'COMMIT']) await client.query(statement)
        } catch (error) {
          await client.query('ROLLBACK')
          throw error
        }
      }, 10 * timeoutMs)
    },
  }
}

/** A connection may break while it is ours and runs no statement; then an error that nobody hears would end the process. */
function hearErrors(client: PoolClient): void {
  if (client.listenerCount('error') === 0) client.on('error', () => undefined)
}

/** The five characters by which PostgreSQL names an error; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Returns the error for a statement that failed. It contains the message of the server but not its details, which quote values. */
export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  if (error instanceof Error) {
    for (const property of ['detail', 'where', 'internalQuery'])
      Reflect.deleteProperty(error, property)
  }
  const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
  return new StoreUnavailable(`PostgreSQL failed: ${reason}`, { cause: error })
}

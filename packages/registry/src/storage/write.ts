import { letOthersIn } from './let-others-in.ts'
import type { RegistryDatabase, Writing } from './tables.ts'

/** Attempts at one change. */
const maxAttempts = 4

/** One transaction, made again if the database ended it in favour of another one. */
export async function write<T>(
  database: RegistryDatabase,
  change: (writing: Writing) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await database.queries.transaction().execute(change)
      await letOthersIn(database)
      return outcome
    } catch (error) {
      if (attempt >= maxAttempts || !isWorthAnotherAttempt(error)) throw error
    }
  }
}

/** Deadlock and serialization failure of PostgreSQL; in SQLite, a writer of another process that took too long. */
function isWorthAnotherAttempt(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '40P01' || code === '40001' || code === 'SQLITE_BUSY'
}

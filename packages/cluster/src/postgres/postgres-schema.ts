import { StoreUnavailable } from '../store/cluster-store.ts'
import { quoteSchema } from './names.ts'
import { codeOf, unavailable, type PostgresQueries } from './postgres-queries.ts'
import { streamFunctions } from './stream-functions.ts'

/**
 * Changes with tables and functions: versions with the same number run beside each other. The first version with format 2 has
 * to read 1 as well, and to write it while a process that knows no other is alive, as `redis-format.ts` does.
 */
const format = 1

/** Makes the schema if it does not exist. Rejects when another version of this package has made it. */
export async function openSchema(queries: PostgresQueries, schema: string): Promise<void> {
  const found = await findFormat(queries, schema)
  if (found === undefined) await createSchema(queries, schema)
  checkFormat(schema, found ?? (await findFormat(queries, schema)))
}

/** Throws for a schema of another version of this package. */
export function checkFormat(schema: string, found: number | undefined): void {
  if (found === format) return
  throw new Error(
    `the schema "${schema}" has format ${found}, and this version of @parley/cluster reads format ${format}: start the version ` +
      'that made it, or a newer one. Going back to this version takes an empty store: stop all processes and drop the ' +
      'schema, with which streams and tasks end',
  )
}

async function findFormat(queries: PostgresQueries, schema: string): Promise<number | undefined> {
  const name = quoteSchema(schema)
  const [exists] = await queries.rows('SELECT to_regclass($1) IS NOT NULL AS here', [
    `${name}.format`,
  ])
  if (exists?.['here'] !== true) return undefined
  const [row] = await queries.rows(`SELECT version FROM ${name}.format`, [])
  return row && Number(row['version'])
}

/** Several processes may do this at once: the lock lets one after the other find that it is done. */
async function createSchema(queries: PostgresQueries, schema: string): Promise<void> {
  const statements = [
    `SELECT pg_advisory_xact_lock(hashtext('parley'), hashtext('${schema}'))`,
    ...definitions(quoteSchema(schema)),
  ]
  try {
    await queries.transaction(statements)
  } catch (error) {
    if (codeOf(error) !== '42501') throw unavailable(error)
    throw new Error(
      `the role may not create the schema "${schema}" or its tables: as an administrator run ` +
        `CREATE SCHEMA ${schema} AUTHORIZATION <role>`,
      { cause: error },
    )
  }
}

/** Tables and functions. Everything that is kept for a time has `kept_until`. */
function definitions(schema: string): readonly string[] {
  const table = (name: string, columns: string): string =>
    `CREATE TABLE IF NOT EXISTS ${schema}.${name} (${columns})`
  const storedUntil = 'kept_until timestamptz NOT NULL'
  return [
    // Without this look, a role that may not create schemas could not use one that is there.
    `DO $$ BEGIN
       IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
     END $$`,
    table('format', 'is_only boolean PRIMARY KEY CHECK (is_only), version integer NOT NULL'),
    `CREATE SEQUENCE IF NOT EXISTS ${schema}.ordinals`,
    table(
      'records',
      `owner text, id text, text bytea NOT NULL, version bigint NOT NULL, ordinal bigint NOT NULL, ${storedUntil},
       PRIMARY KEY (owner, id)`,
    ),
    `CREATE INDEX IF NOT EXISTS records_in_order ON ${schema}.records (owner, ordinal)`,
    `CREATE INDEX IF NOT EXISTS records_by_end ON ${schema}.records (kept_until)`,
    table(
      'feeds',
      `feed text PRIMARY KEY, era text NOT NULL, last bigint NOT NULL, ${storedUntil}`,
    ),
    table(
      'feed_entries',
      `feed text REFERENCES ${schema}.feeds ON DELETE CASCADE, number bigint, mark text NOT NULL,
       text bytea NOT NULL, ${storedUntil}, PRIMARY KEY (feed, number)`,
    ),
    table('once_marks', `key text PRIMARY KEY, ${storedUntil}`),
    `CREATE INDEX IF NOT EXISTS once_marks_by_end ON ${schema}.once_marks (kept_until)`,
    table(
      'leases',
      `key text PRIMARY KEY, node bytea NOT NULL, info bytea NOT NULL, ${storedUntil}`,
    ),
    table(
      'budgets',
      `key text PRIMARY KEY, amount float8 NOT NULL, granted float8 NOT NULL, filled_at timestamptz NOT NULL, ${storedUntil}`,
    ),
    table(
      'streams',
      `session text, stream text, writer bytea NOT NULL, last bigint NOT NULL, dropped bigint NOT NULL, bytes bigint NOT NULL,
       is_ended boolean NOT NULL, about bytea NOT NULL, read_at timestamptz, read_after bigint, ${storedUntil}, PRIMARY KEY (session, stream)`,
    ),
    table(
      'stream_texts',
      `session text, stream text, number bigint, text bytea NOT NULL, PRIMARY KEY (session, stream, number),
       FOREIGN KEY (session, stream) REFERENCES ${schema}.streams ON DELETE CASCADE`,
    ),
    ...streamFunctions(schema),
    `INSERT INTO ${schema}.format VALUES (true, ${format}) ON CONFLICT DO NOTHING`,
  ]
}

/** Errors of a schema, table or function that does not exist. */
const missing: ReadonlySet<string> = new Set(['3F000', '42P01', '42883'])

/** The same queries. Where the schema is gone it is made again, empty, for the statements that follow. */
export function reopening(queries: PostgresQueries, schema: string): PostgresQueries {
  let isOpening = false
  return {
    ...queries,
    async rows(statement, values) {
      try {
        return await queries.rows(statement, values)
      } catch (error) {
        const isMissing = error instanceof StoreUnavailable && missing.has(codeOf(error.cause))
        if (isMissing && !isOpening) {
          isOpening = true
          openSchema(queries, schema)
            .catch(() => undefined)
            .finally(() => {
              isOpening = false
            })
        }
        throw error
      }
    },
  }
}

import { EventEmitter } from 'node:events'

import type { Pool } from 'pg'
import { expect, test } from 'vitest'

import { createPostgresQueries } from '../../src/postgres/postgres-queries.ts'

test('a connection that breaks between two statements ends nothing but itself', async () => {
  const statements: string[] = []
  const client = Object.assign(new EventEmitter(), {
    async query(statement: string) {
      statements.push(statement)
      client.emit('error', new Error('Connection terminated unexpectedly'))
      return { rows: [] }
    },
    release: () => undefined,
  })
  const pool = { connect: async () => client } as unknown as Pool // as much of one as is used
  const queries = createPostgresQueries(pool, 1_000)

  await queries.transaction(['SELECT 1'])
  await queries.rows('SELECT 2', [])

  expect(statements).toEqual(['BEGIN', 'SELECT 1', 'COMMIT', 'SELECT 2'])
  expect(client.listenerCount('error')).toBe(1)
})

import { createHash, randomBytes } from 'node:crypto'

import { StoreUnavailable } from '@parley/cluster'
import { createPostgresClusterStore, type PostgresStoreOptions } from '@parley/cluster/postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import {
  hasPostgres,
  ownPostgres,
  type TestPostgres,
} from '../../../../test-support/postgres-server.ts'
import {
  batch,
  describeFaults,
  expectGapAfterLoss,
  key,
  limits,
  longMs,
  type FaultyEngine,
} from '../store-faults.ts'
import { until } from '../until.ts'

const engine: FaultyEngine<TestPostgres, PostgresStoreOptions> = {
  name: 'PostgreSQL',
  isInstalled: hasPostgres,
  keeps: 'everything',
  start: ownPostgres,
  open({ connectionString }, options) {
    const source = options.pool || options.connection ? {} : { connectionString }
    return createPostgresClusterStore({ ...source, schema: newSchema(), ...options })
  },
}

describeFaults(engine, (frame) => {
  const { open, openStarted } = frame
  let admin: Pool
  beforeAll(() => {
    admin = new Pool({ connectionString: frame.server.connectionString })
    admin.on('error', () => undefined)
  })
  afterAll(() => admin.end())

  test('a schema that is gone is made again, and what was in it is a gap', async () => {
    const schema = newSchema()
    const store = await openStarted({ schema })
    const { cursor } = await store.feeds.readSince('feed', undefined)
    await store.streams.append(key, { ...batch, firstSequence: 1 }, limits)

    await admin.query(`DROP SCHEMA ${schema} CASCADE`)
    await expect(store.once.add('mark', longMs)).rejects.toThrow(StoreUnavailable)
    await until(() => store.once.add('mark', longMs).catch(() => false))

    expect((await store.feeds.readSince('feed', cursor)).hasGap).toBe(true)
    expect(await store.streams.append(key, { ...batch, firstSequence: 2 }, limits)).toBe(false)
  })

  test('a connection on which an answer is missing is closed', async () => {
    const pool = new Pool({ connectionString: frame.server.connectionString, max: 1 })
    onTestFinished(() => pool.end())
    const store = await openStarted({ pool, timeoutMs: 500 })
    expect(pool.totalCount).toBe(1)

    frame.server.pause()
    const failure: unknown = await store.once.add('mark', longMs).catch((error: unknown) => error)
    const left = pool.totalCount
    frame.server.resume()

    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(left).toBe(0)
  })

  test('processes that start together make the schema once', async () => {
    const schema = newSchema()
    const stores = Array.from({ length: 5 }, () => open({ schema }))

    await Promise.all(stores.map((store) => store.start()))

    const marks = await Promise.all(stores.map(({ once }) => once.add('mark', longMs)))
    expect(marks.filter(Boolean)).toHaveLength(1)
  })

  test('a schema of another version is refused', async () => {
    const schema = newSchema()
    await (await openStarted({ schema })).close()
    await admin.query(`UPDATE ${schema}.format SET version = 7`)

    const failure: unknown = await open({ schema })
      .start()
      .catch((error: unknown) => error)

    expect(failure).not.toBeInstanceOf(StoreUnavailable)
    expect(String(failure)).toContain(
      `the schema "${schema}" has format 7, and this version of @parley/cluster reads format 1: start the version that made it`,
    )
  })

  test('a process that was away when a newer version changed the schema says so with its next lease', async () => {
    const schema = newSchema()
    const store = await openStarted({ schema })
    await store.leases.renew('here', longMs, '')
    await admin.query(`UPDATE ${schema}.format SET version = 7`)

    await expect(store.leases.renew('here', longMs, '')).rejects.toThrow('has format 7')
  })

  test('tables and functions are those of format 1: what changes them is another format', async () => {
    const schema = newSchema()
    await openStarted({ schema })
    const columns = await admin.query(
      `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
        WHERE table_schema = $1 ORDER BY table_name, column_name`,
      [schema],
    )
    const functions = await admin.query(
      `SELECT proname, pg_get_function_arguments(p.oid) AS takes, pg_get_function_result(p.oid) AS gives, prosrc
        FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = pronamespace WHERE nspname = $1 ORDER BY proname`,
      [schema],
    )
    const all = [
      ...columns.rows,
      ...functions.rows.map(({ prosrc, ...rest }) => ({
        ...rest,
        body: String(prosrc).replaceAll(/\s+/g, ' '),
      })),
    ]
    const text = JSON.stringify(all).replaceAll(schema, 'SCHEMA')

    expect(createHash('sha256').update(text).digest('hex')).toBe(
      '87732ba7b68c1635f447d23c023e2aa03d33411ca3360f3c252679ba46209df9',
    )
  })

  test('a role without rights is told what to run, and can then start', async () => {
    const schema = newSchema()
    await admin.query(`CREATE ROLE ${schema}_role LOGIN`)
    const url = new URL(frame.server.connectionString)
    url.username = `${schema}_role`
    const store = open({ schema, connectionString: url.href })

    await expect(store.start()).rejects.toThrow(`CREATE SCHEMA ${schema} AUTHORIZATION <role>`)
    await admin.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${schema}_role`)
    await store.start()

    expect(await store.once.add('mark', longMs)).toBe(true)
  })

  test('expired rows are deleted, but no entry between two that are kept', async () => {
    const schema = newSchema()
    const store = await openStarted({ schema, sweepMs: 20 })
    const short = { ...limits, openMs: 1 }
    await store.records.put({ group: 'g', id: 'a' }, 'text', 0, 1)
    await store.once.add('mark', 1)
    await store.leases.renew('node', 1, 'info')
    await store.streams.append(key, { ...batch, firstSequence: 1 }, short)
    await store.budgets.take('calls', 1, 10, 1)
    await store.feeds.append('gone', 'short', 1)
    const { cursor } = await store.feeds.readSince('feed', undefined)
    for (const [text, keepMs] of Object.entries({ long: longMs, short: 1, last: longMs })) {
      await store.feeds.append('feed', text, keepMs)
    }

    await until(async () => {
      const counts = ['records', 'once_marks', 'leases', 'streams', 'stream_texts', 'budgets'].map(
        (table) => `SELECT count(*) FROM ${schema}.${table}`,
      )
      counts.push(`SELECT count(*) FROM ${schema}.feed_entries WHERE feed = 'gone'`)
      const { rows } = await admin.query(counts.join(' UNION ALL '))
      return rows.every(({ count }) => count === '0')
    })
    expect(await store.feeds.readSince('feed', cursor)).toMatchObject({
      texts: ['long', 'short', 'last'],
      hasGap: false,
    })
  })

  test('names may be long and contain anything', async () => {
    const { once, records } = await openStarted()
    const long = randomBytes(8_000).toString('hex')
    const names = [
      long,
      `${long}x`,
      'a\u0000b',
      'a\u0000c',
      'ü',
      '🎈',
      '',
      ' ',
      'sha256:x',
      "'; --",
    ]

    for (const name of names) expect(await once.add(name, longMs)).toBe(true)
    for (const name of names) expect(await once.add(name, longMs)).toBe(false)
    expect(await records.put({ group: long, id: 'ü\u0000' }, 'text', 0, longMs)).toBe(true)
    expect(await records.get({ group: long, id: 'ü\u0000' })).toEqual({ text: 'text', version: 1 })
    expect(await records.list(long, 'no cursor', 10)).toEqual({ texts: [] })
  })

  test('a feed that lost its newest entries is a gap, even when others took their numbers', async () => {
    const schema = newSchema()

    await expectGapAfterLoss(await openStarted({ schema }), async () => {
      await admin.query(`DELETE FROM ${schema}.feed_entries WHERE number = 2`)
      await admin.query(`UPDATE ${schema}.feeds SET last = 1`)
    })
  })

  test('of two appends at once the second waits for the first, and adds nothing twice', async () => {
    const schema = newSchema()
    const { streams } = await openStarted({ schema })
    await streams.append(key, { ...batch, firstSequence: 1 }, limits)
    const first = await admin.connect()
    onTestFinished(() => first.release())
    await first.query('BEGIN')
    await first.query(
      `SELECT ${schema}.append_stream('s', '1', 'a', 2, ARRAY['two'::bytea], false, NULL, 100, 1000000, 60000, 60000)`,
    )

    const appending = streams.append(key, { ...batch, firstSequence: 2, texts: ['other'] }, limits)
    const takingOver = streams.takeOver(key, { writer: 'a', last: 1 }, ['lost'], limits)
    await until(async () => {
      const waiting = await admin.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${schema}%'`,
      )
      return waiting.rowCount === 2
    })
    await first.query('COMMIT')

    expect([await appending, await takingOver]).toEqual([true, false])
    expect((await streams.read(key, 0, limits))?.texts).toEqual(['one', 'two'])
  })

  test('a hint that is too long is lost alone', async () => {
    const { bus } = await openStarted()
    const received: number[] = []
    using _ = bus.subscribe('news', ({ length }) => received.push(length))

    await until(() => {
      bus.publish('news', 'x'.repeat(6_000))
      bus.publish('news', 'x'.repeat(5_000))
      return received.length > 0
    })

    expect(new Set(received)).toEqual(new Set([5_000]))
  })

  test('a pool that is given is used, and is not closed', async () => {
    const pool = new Pool({ connectionString: frame.server.connectionString })
    onTestFinished(() => pool.end())
    const store = await openStarted({ pool })

    expect(await store.once.add('mark', longMs)).toBe(true)
    await store.close()

    await expect(store.once.add('mark', longMs)).rejects.toThrow('the store is closed')
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect(pool.listenerCount('error')).toBe(0)
  })

  test('wrong options are refused at once', () => {
    expect(() => createPostgresClusterStore({})).toThrow(
      'no PostgreSQL database is configured: set',
    )
    expect(() => open({ schema: 'a"b' })).toThrow('schema "a\\"b" is invalid')
    expect(() => open({ timeoutMs: 0 })).toThrow('timeoutMs 0 is out of range')
  })
})

function newSchema(): string {
  return `test_${randomBytes(8).toString('hex')}`
}

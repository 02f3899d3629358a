import { createPostgresClusterStore } from '@parley/cluster/postgres'
import { Client, Pool, types } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'

import { hasPostgres, sharedPostgres } from '../../../../test-support/postgres-server.ts'
import { newName } from '../stores.ts'

describe.skipIf(!hasPostgres)('a stream in PostgreSQL', () => {
  test('is read in pages of so many bytes, none of which the driver takes apart character by character', async () => {
    const lists: unknown[] = []
    /** Tells of values that are lists. */
    class ListeningClient extends Client {
      constructor(options: object = {}) {
        super({
          ...options,
          types: {
            getTypeParser: (
              oid: Parameters<typeof types.getTypeParser>[0],
              format?: 'text' | 'binary',
            ) => {
              const parse: (value: string) => unknown = types.getTypeParser(oid, format)
              return (value: string) => {
                const parsed = parse(value)
                if (Array.isArray(parsed)) lists.push(parsed)
                return parsed
              }
            },
          },
        })
      }
    }
    const pool = new Pool({ connectionString: await sharedPostgres(), Client: ListeningClient })
    const store = createPostgresClusterStore({ pool, schema: newName(), timeoutMs: 20_000 })
    onTestFinished(async () => {
      await store.close()
      await pool.end()
    })
    await store.start()
    const key = { session: 'ada', stream: 'flood' }
    const texts = [
      '',
      'ü, 🎈 and \u0000',
      ...Array.from({ length: 30 }, (_, number) => `${number}`.repeat(8_000)),
    ]
    const limits = { events: 100, bytes: 2 ** 24, endedMs: 60_000, openMs: 60_000 }
    await store.streams.append(key, { writer: 'a', firstSequence: 1, texts, isLast: true }, limits)

    const read: string[] = []
    const sizes: number[] = []
    while (read.length < texts.length) {
      const page = await store.streams.read(key, read.length, { events: 64, bytes: 65_536 })
      read.push(...(page?.texts ?? []))
      sizes.push(Buffer.byteLength(page?.texts.join('') ?? ''))
    }

    expect(read).toEqual(texts)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536)
    expect(lists).toEqual([])
  })
})

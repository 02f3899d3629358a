import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { openDatabase } from '../../src/storage/open-database.ts'
import { publishDocuments } from '../../src/storage/publish.ts'
import { openDatabases } from '../databases.ts'
import { documentOf } from '../registry-under-test.ts'

// SQLite refuses pages beyond max_page_count with SQLITE_FULL, as it does where the disk has no room for them.
it('publishing on a full disk keeps what was acknowledged, and nothing else', async () => {
  await using databases = await openDatabases('sqlite')
  const address = await databases.create()
  const acknowledged: string[] = []
  {
    await using database = await openDatabase(address)
    const publish = async (at: number) => {
      const name = `com.example/server-${at}`
      const document = documentOf(name, '1.0.0', { title: 'x'.repeat(90) })
      await publishDocuments(database, [document], Date.now)
      acknowledged.push(name)
    }
    await sql.raw('pragma max_page_count = 90').execute(database.queries)
    let at = 0
    const full = async () => {
      for (; at < 2_000; at += 1) await publish(at)
    }
    await expect(full()).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    await expect(publish(at)).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(acknowledged.length).toBeGreaterThan(0)

    await sql.raw('pragma max_page_count = 1000000').execute(database.queries)
    await publish(at)
  }

  await using database = await openDatabase(address)
  const rows = await database.queries.selectFrom('server_versions').select('name').execute()
  expect(rows.map(({ name }) => name).toSorted()).toEqual(acknowledged.toSorted())
  const { rows: checked } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(
    database.queries,
  )
  expect(checked).toEqual([{ integrity_check: 'ok' }])
})

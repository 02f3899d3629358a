import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listEntries } from '../../src/storage/list-entries.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import type { RegistryDatabase } from '../../src/storage/tables.ts'
import { syncRegistry } from '../../src/sync/sync-registry.ts'
import { kinds, openDatabases, type Databases } from '../databases.ts'
import { documentOf, openRegistry, type TestRegistry } from '../registry-under-test.ts'

type Fetch = (request: Request) => Promise<Response>
const source = { id: 'upstream', url: 'http://upstream.test' }

async function fill(registry: TestRegistry, count: number, words = 0): Promise<void> {
  const documents = Array.from({ length: count }, (_, at) =>
    documentOf(`com.example/server-${String(at).padStart(4, '0')}`, '1.0.0', {
      ...(words > 0 && { websiteUrl: `https://example.com/${'x'.repeat(words)}` }),
    }),
  )
  expect(await registry.registry.importDocuments(documents)).toBe(count)
}

async function keysIn(database: RegistryDatabase): Promise<readonly string[]> {
  const { entries } = await listEntries(database, { limit: 10_000, includeDeleted: true })
  return entries.map(({ name, version }) => `${name}@${version}`)
}

describe.each(kinds)('a run on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  const open = async (now?: () => number) =>
    openRegistry({ database: await databases.create(), ...(now && { now }) })
  const mirror = (to: TestRegistry, from: Fetch, more: object = {}) =>
    to.registry.sync({ source, fetch: from, maxAttempts: 2, pauseMs: 1, ...more })
  const all = async (registry: TestRegistry) => {
    const { body } = await registry.ask('servers?limit=100&include_deleted=true')
    const { servers } = body as {
      servers: readonly { server: { name: string; version: string } }[]
    }
    return servers.map(({ server }) => `${server.name}@${server.version}`)
  }

  it('is not led in a circle, and the next one begins anew', async () => {
    await using upstream = await open()
    await using lower = await open()
    await fill(upstream, 3)
    const rows = (await upstream.ask('servers')).body as { servers: readonly object[] }
    let isLooping = true
    const looping: Fetch = async (request) => {
      if (!isLooping) return upstream.registry.fetch(request)
      const cursor = new URL(request.url).searchParams.get('cursor')
      return Response.json({ ...rows, metadata: { nextCursor: cursor === 'b' ? 'a' : 'b' } })
    }
    await expect(mirror(lower, looping)).rejects.toThrow('repeats the cursor b')
    isLooping = false
    const report = await mirror(lower, looping)
    expect(report).toMatchObject({ pages: 1, read: 3, changed: 0 })
    expect(await all(lower)).toHaveLength(3)
  })

  it('gives a cursor up that its source no longer takes', async () => {
    await using upstream = await open()
    await using lower = await open()
    await fill(upstream, 150)
    let calls = 0
    const failing: Fetch = async (request) => {
      calls += 1
      return calls === 2 ? new Response('gone', { status: 503 }) : upstream.registry.fetch(request)
    }
    await expect(mirror(lower, failing, { maxAttempts: 1 })).rejects.toThrow('status 503')
    const forgetful: Fetch = async (request) =>
      new URL(request.url).searchParams.has('cursor') && calls++ < 3
        ? new Response('unknown cursor', { status: 400 })
        : upstream.registry.fetch(request)
    await expect(mirror(lower, forgetful)).rejects.toThrow('status 400')
    const report = await mirror(lower, upstream.registry.fetch)
    expect(report).toMatchObject({ read: 150, changed: 50 })
  })

  it('hears of everything in the end, also from a source that left something out', async () => {
    let now = Date.parse('2026-05-01T12:00:00Z')
    await using upstream = await open(() => now)
    await using lower = await open(() => now)
    await fill(upstream, 150)
    now += 60 * 60_000
    await upstream.publish(documentOf('com.example/a-late', '1.0.0'))
    const truncating: Fetch = async (request) => {
      const response = await upstream.registry.fetch(request)
      const { servers } = (await response.json()) as { servers: readonly object[] }
      return Response.json({ servers, metadata: { count: servers.length } })
    }
    expect(await mirror(lower, truncating)).toMatchObject({ read: 100 })
    expect(await mirror(lower, upstream.registry.fetch)).toMatchObject({ read: 1, changed: 0 })
    now += 25 * 60 * 60_000
    expect(await mirror(lower, upstream.registry.fetch)).toMatchObject({ read: 151, changed: 51 })
  })

  it('does not wait for a time that a source has made up', async () => {
    await using upstream = await open()
    await using lower = await open()
    await fill(upstream, 1)
    const lying: Fetch = async (request) => {
      const response = await upstream.registry.fetch(request)
      const text = await response.text()
      return new Response(
        text.replaceAll(/"updatedAt":"[^"]*"/g, '"updatedAt":"2999-01-01T00:00:00.000Z"'),
      )
    }
    await mirror(lower, lying)
    await upstream.publish(documentOf('com.example/new', '1.0.0'))
    await mirror(lower, upstream.registry.fetch)
    expect(await all(lower)).toContain('com.example/new@1.0.0')
  })

  it.each([
    ['of the source', -90_000_000, 0],
    ['of the mirror', 0, -90_000_000],
    ['of both', -90_000_000, -90_000_000],
  ])('misses and doubles nothing when the clock %s is set back', async (_, above, below) => {
    let sourceNow = Date.parse('2026-05-02T12:00:00Z')
    let mirrorNow = sourceNow
    await using upstream = await open(() => sourceNow)
    await using lower = await open(() => mirrorNow)
    await fill(upstream, 2)
    await mirror(lower, upstream.registry.fetch)
    sourceNow += above
    mirrorNow += below
    await upstream.publish(documentOf('com.example/after', '1.0.0'))
    await mirror(lower, upstream.registry.fetch)
    await mirror(lower, upstream.registry.fetch)
    expect(await all(lower)).toEqual(await all(upstream))
    const changes = await lower.ask('x/changes')
    expect((changes.body as { changes: readonly object[] }).changes).toHaveLength(3)
  })

  it('takes rows that a source repeats once', async () => {
    await using upstream = await open()
    await using lower = await open()
    await fill(upstream, 3)
    const twice: Fetch = async (request) => {
      const response = await upstream.registry.fetch(request)
      const { servers } = (await response.json()) as { servers: readonly object[] }
      return Response.json({ servers: [...servers, ...servers], metadata: {} })
    }
    expect(await mirror(lower, twice)).toMatchObject({ read: 6, changed: 3 })
    expect(await all(lower)).toHaveLength(3)
  })
})

// SQLite refuses pages beyond max_page_count with SQLITE_FULL, as it does where the disk has no room for them.
describe('a run on a full disk', () => {
  it('keeps whole pages, says so, and goes on where there is room again', async () => {
    await using databases = await openDatabases('sqlite')
    await using upstream = await openRegistry({ database: await databases.create() })
    await fill(upstream, 450, 150)
    const address = await databases.create()
    const options = { source, fetch: upstream.registry.fetch, maxAttempts: 1 }
    {
      await using database = await openDatabase(address)
      await sql.raw('pragma max_page_count = 180').execute(database.queries)
      await expect(syncRegistry(database, options, Date.now)).rejects.toMatchObject({
        code: 'SQLITE_FULL',
      })
      const kept = await keysIn(database)
      expect([kept.length % 100, kept.length > 0, kept.length < 450]).toEqual([0, true, true])
      await expect(syncRegistry(database, options, Date.now)).rejects.toMatchObject({
        code: 'SQLITE_FULL',
      })
      expect(await keysIn(database)).toEqual(kept)
      await sql.raw('pragma max_page_count = 1000000').execute(database.queries)
      const report = await syncRegistry(database, options, Date.now)
      expect(report.changed).toBe(450 - kept.length)
      const keys = await keysIn(database)
      expect([keys.length, new Set(keys).size]).toEqual([450, 450])
    }
  })
})

import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { createRegistry, serveRegistry } from '@parley/registry'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

import { hasPostgres, ownPostgres } from '../../../../test-support/postgres-server.ts'
import { kinds, openDatabases, type Databases } from '../databases.ts'
import { documentOf, openRegistry, versionsIn, type TestRegistry } from '../registry-under-test.ts'

const program = fileURLToPath(new URL('../fixtures/mirror.mjs', import.meta.url))
/** Five pages, of which a mirror has two when it is killed, and two more the second time. */
const count = 500

async function fill(registry: TestRegistry): Promise<void> {
  const documents = Array.from({ length: count }, (_, at) =>
    documentOf(`com.example/server-${String(at).padStart(4, '0')}`, '1.0.0'),
  )
  await registry.registry.importDocuments(documents)
}

async function readAll(registry: TestRegistry): Promise<readonly string[]> {
  const all: string[] = []
  let cursor = ''
  do {
    const answer = await registry.ask(`servers?limit=100${cursor && `&cursor=${cursor}`}`)
    all.push(...versionsIn(answer))
    cursor = (answer.body as { metadata: { nextCursor?: string } }).metadata.nextCursor ?? ''
  } while (cursor !== '')
  return all
}

/** Mirrors in another process, which is killed when it asks for this page. */
async function mirrorUntilKilled(database: string, url: string, page: number): Promise<void> {
  const child = spawn(execPath, [program, database, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  let pages = 0
  for await (const _ of createInterface(child.stdout)) {
    pages += 1
    if (pages === page) child.kill('SIGKILL')
  }
}

let upstream: TestRegistry
beforeAll(async () => {
  upstream = await openRegistry({ database: ':memory:' })
  await fill(upstream)
})
afterAll(() => upstream[Symbol.asyncDispose]())

describe.each(kinds)('a mirror killed on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  it('goes on where it was, and has lost and doubled nothing', async () => {
    await using served = await serveRegistry(upstream.registry)
    const database = await databases.create()
    await mirrorUntilKilled(database, served.url.href, 3)
    await mirrorUntilKilled(database, served.url.href, 3)
    await using lower = await openRegistry({ database })
    const before = (await readAll(lower)).length
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(count)
    const source = { id: 'upstream', url: served.url.href }
    const report = await lower.registry.sync({ source })
    expect(report.changed).toBe(count - before)
    expect(report.read).toBeLessThan(count)
    expect(await readAll(lower)).toEqual(await readAll(upstream))
  })
})

test.skipIf(!hasPostgres)(
  'a mirror whose database goes away in the middle is complete when it is back',
  async () => {
    await using postgres = await ownPostgres()
    const database = postgres.connectionString
    {
      await using lower = await createRegistry({ database })
      let pages = 0
      const fetch = async (request: Request): Promise<Response> => {
        pages += 1
        if (pages === 3) await postgres.kill()
        return upstream.registry.fetch(request)
      }
      const source = { id: 'upstream', url: 'http://upstream.test' }
      await expect(lower.sync({ source, fetch })).rejects.toThrow()
      await postgres.start()
      // Connections of the old server may end one by one.
      await expect
        .poll(() => lower.sync({ source, fetch: upstream.registry.fetch }).catch(() => undefined))
        .toBeDefined()
    }
    await using again = await openRegistry({ database })
    expect(await readAll(again)).toEqual(await readAll(upstream))
  },
)

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import { documentOf, openRegistry, versionsIn, type TestRegistry } from '../registry-under-test.ts'

type Fetch = (request: Request) => Promise<Response>

describe.each(kinds)('a mirror on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  const open = async () => openRegistry({ database: await databases.create() })
  const source = { id: 'upstream', url: 'http://upstream.test/v0.1/' }
  const mirror = (to: TestRegistry, from: Fetch, more: object = {}) =>
    to.registry.sync({ source: { ...source, ...more }, fetch: from, maxAttempts: 3, pauseMs: 1 })
  const all = async (registry: TestRegistry) =>
    versionsIn(await registry.ask('servers?limit=100&include_deleted=true'))

  async function fill(registry: TestRegistry, count: number): Promise<void> {
    const documents = Array.from({ length: count }, (_, at) =>
      documentOf(`com.example/server-${String(at).padStart(4, '0')}`, '1.0.0'),
    )
    expect(await registry.registry.importDocuments(documents)).toBe(count)
  }

  it('takes over everything, then only what has changed, with deletions [REG-05]', async () => {
    await using upstream = await open()
    await using lower = await open()
    await fill(upstream, 205)
    const first = await mirror(lower, upstream.registry.fetch)
    expect(first).toMatchObject({ pages: 3, read: 205, changed: 205, refused: [] })
    const again = await mirror(lower, upstream.registry.fetch)
    expect(again.changed).toBe(0)
    await upstream.publish(documentOf('com.example/server-0000', '2.0.0'))
    await upstream.ask('servers/com.example%2Fserver-0001/versions/1.0.0', { method: 'DELETE' })
    const patch = { method: 'PATCH', body: { status: 'deprecated', statusMessage: 'old' } }
    await upstream.ask('servers/com.example%2Fserver-0002/versions/1.0.0/status', patch)
    await mirror(lower, upstream.registry.fetch)
    for (const path of [
      'servers/com.example%2Fserver-0000/versions',
      'servers/com.example%2Fserver-0001/versions',
      'servers/com.example%2Fserver-0002/versions/latest',
    ]) {
      const [there, here] = await Promise.all([upstream.ask(path), lower.ask(path)])
      const told = JSON.parse(
        JSON.stringify(here.body).replaceAll(',"dev.parley.registry/source":"upstream"', ''),
      ) as unknown
      expect([path, here.status, told]).toEqual([path, there.status, there.body])
      if (here.status === 200) expect(told).not.toEqual(here.body)
    }
    expect(versionsIn(await lower.ask('x/search?q=server+0000'))).toEqual([
      'com.example/server-0000@2.0.0*',
    ])
  })

  it('notes on every version that a name looks like one that is here', async () => {
    await using upstream = await open()
    await using lower = await open()
    await lower.publish(documentOf('io.github.microsoft/maps', '1.0.0'))
    const name = 'io.github.micr0soft/maps'
    for (const version of ['1.0.0', '1.0.1']) {
      await upstream.publish(documentOf(name, version))
      await mirror(lower, upstream.registry.fetch)
    }

    const latest = await lower.ask(`servers/${encodeURIComponent(name)}/versions/latest`)

    expect(latest.body).toMatchObject({
      server: { version: '1.0.1' },
      _meta: { 'dev.parley.registry/flags': ['looks like io.github.microsoft/maps'] },
    })
  })

  it('can be mirrored itself, and both keep what others publish there', async () => {
    await using top = await open()
    await using middle = await open()
    await using bottom = await open()
    await fill(top, 3)
    await middle.publish(documentOf('com.private/own', '1.0.0'))
    await middle.publish(documentOf('com.example/server-0001', '9.0.0'))
    const taken = await mirror(middle, top.registry.fetch, {
      allow: ['com.example/*'],
      deny: ['com.example/server-0002'],
    })
    expect(taken).toMatchObject({ changed: 1, filtered: 1 })
    expect(taken.refused).toEqual([
      'com.example/server-0001 is published here, or by another source',
    ])
    await mirror(bottom, middle.registry.fetch, { allow: ['com.example/*'] })
    expect(await all(bottom)).toEqual([
      'com.example/server-0000@1.0.0*',
      'com.example/server-0001@9.0.0*',
    ])
  })

  it('goes on where it was stopped', async () => {
    await using upstream = await open()
    await using lower = await open()
    await fill(upstream, 250)
    const asked: string[] = []
    let answers = 2
    const failing: Fetch = async (request) => {
      asked.push(new URL(request.url).searchParams.get('cursor') ?? '')
      if (answers === 0) return new Response('gone', { status: 503 })
      answers -= 1
      return upstream.registry.fetch(request)
    }
    await expect(mirror(lower, failing)).rejects.toThrow('answers with status 503')
    expect((await all(lower)).length).toBe(100) // a page of the list; two pages are there
    asked.length = 0
    answers = 10
    const rest = await mirror(lower, failing)
    expect(rest).toMatchObject({ pages: 1, read: 50, changed: 50 })
    expect(asked).toEqual([expect.stringMatching(/^\w{8,}/)])
  })

  const row = (name: string, more: object = {}, meta: object = {}) => ({
    server: { ...documentOf(name, '1.0.0'), ...more },
    _meta: {
      'io.modelcontextprotocol.registry/official': {
        status: 'active',
        publishedAt: '2026-01-01T00:00:00.123456Z',
        isLatest: true,
        ...meta,
      },
      'com.upstream/extra': { stars: 5 },
    },
  })
  const answering = (...pages: readonly unknown[]): Fetch => {
    let at = 0
    return async () => {
      const page = pages[Math.min(at, pages.length - 1)]
      at += 1
      return typeof page === 'string' ? new Response(page) : Response.json(page)
    }
  }

  it('takes nothing from a source that lies, and everything else', async () => {
    await using lower = await open()
    const servers = [
      row('com.example/good'),
      row('com.example/good'),
      row('../../etc/passwd'),
      row('../..'),
      row('com.example/range', { version: '^1.0.0' }),
      row('com.example/nul', { title: 'a\0b' }),
      row('com.example/large', { title: 'x'.repeat(300_000) }),
      row('com.example/shape', { remotes: 'none' }),
      row('com.example/parts', { packages: [{ registryType: 'npm' }] }),
      row('com.example/status', {}, { status: 'excellent' }),
      row('com.example/time', {}, { publishedAt: 'yesterday' }),
      { server: 7 },
      null,
    ]
    const report = await mirror(lower, answering({ servers, metadata: {} }))
    expect(await all(lower)).toEqual(['com.example/good@1.0.0*'])
    expect(report).toMatchObject({ read: 13, changed: 1 })
    expect(report.refused).toHaveLength(11)
    const { body } = await lower.ask('servers')
    expect(body).toMatchObject({ servers: [{ _meta: { 'com.upstream/extra': { stars: 5 } } }] })
  })

  it.each<[string, readonly unknown[], string]>([
    [
      'repeats its cursor',
      [{ servers: [row('com.example/one')], metadata: { nextCursor: 'x' } }],
      'repeats the cursor x',
    ],
    [
      'goes on with nothing',
      [{ servers: [], metadata: { nextCursor: 'x' } }],
      'after an empty page',
    ],
    ['truncates its answers', ['{"servers":[{"ser'], 'not a list of servers'],
    ['answers with something else', ['<html>'], 'not a list of servers'],
  ])('stops at a source that %s, and keeps what it has', async (_, pages, why) => {
    await using lower = await open()
    await lower.publish(documentOf('com.private/own', '1.0.0'))
    await expect(mirror(lower, answering(...pages))).rejects.toThrow(why)
    expect(await all(lower)).toContain('com.private/own@1.0.0*')
  })

  it('is written as plain files, and never outside of their folder', async () => {
    await using registry = await open()
    await fill(registry, 2)
    await registry.publish(documentOf('com.example/server-0000', '2.0.0'))
    await registry.publish(documentOf('com.example/odd', 'release/../../1'))
    const folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
    try {
      const read = (path: string): unknown =>
        JSON.parse(readFileSync(join(folder, 'v0.1', path), 'utf8'))
      expect(await registry.registry.exportStatic(folder)).toMatchObject({ servers: 3 })
      expect(read('servers/index.json')).toEqual((await registry.ask('servers')).body)
      const one = 'servers/com.example/server-0000/versions'
      expect(read(`${one}/index.json`)).toEqual((await registry.ask(one)).body)
      expect(read(`${one}/latest.json`)).toEqual((await registry.ask(`${one}/2.0.0`)).body)
      expect(read(`${one}/1.0.0.json`)).toMatchObject({ server: { version: '1.0.0' } })
      expect(existsSync(join(folder, 'v0.1/servers/com.example/odd/versions/latest.json'))).toBe(
        true,
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

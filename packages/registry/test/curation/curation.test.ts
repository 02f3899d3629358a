import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CurationChange } from '@parley/registry'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import {
  adminKeys,
  documentOf,
  openRegistry,
  versionsIn,
  type TestRegistry,
} from '../registry-under-test.ts'

describe.each(kinds)('curation on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  const open = async () => openRegistry({ database: await databases.create() })
  const rule = (change: Omit<CurationChange, 'reason' | 'action'>): CurationChange => ({
    action: 'set',
    reason: 'a test',
    ...change,
  })
  const undo = (change: Omit<CurationChange, 'reason' | 'action'>) => ({
    ...rule(change),
    action: 'remove' as const,
  })
  const listed = async (registry: TestRegistry) =>
    versionsIn(await registry.ask('servers?limit=100'))
  const found = async (registry: TestRegistry, query: string) =>
    versionsIn(await registry.ask(`x/search?${query}`))
  const one = 'com.example/one'
  const path = 'servers/com.example%2Fone/versions'

  it('hides what was published before and after a rule, and shows it again [REG-07]', async () => {
    await using registry = await open()
    await registry.publish(documentOf(one, '1.0.0'))
    await registry.publish(documentOf('com.example/two', '1.0.0'))
    const { registry: own } = registry
    expect(await own.curate(rule({ kind: 'deny', pattern: one }))).toEqual({ changed: 1 })
    await registry.publish(documentOf(one, '1.1.0'))
    expect(await listed(registry)).toEqual(['com.example/two@1.0.0*'])
    expect(await found(registry, 'q=one')).toEqual([])
    expect((await registry.ask(`${path}/latest`)).status).toBe(404)
    const { body } = await registry.ask(`${path}/1.0.0?include_deleted=true`)
    expect(body).toMatchObject({
      _meta: {
        'io.modelcontextprotocol.registry/official': { status: 'deleted', statusMessage: 'a test' },
      },
    })
    // Its publisher cannot undo that.
    const restored = { method: 'PATCH', body: { status: 'active' } }
    expect((await registry.ask(`${path}/1.0.0/status`, restored)).status).toBe(400)
    await own.curate(undo({ kind: 'deny', pattern: one }))
    expect(await listed(registry)).toEqual([
      `${one}@1.0.0`,
      `${one}@1.1.0*`,
      'com.example/two@1.0.0*',
    ])
    expect(await found(registry, 'q=one')).toEqual([`${one}@1.1.0*`])
    await expect(own.curate(undo({ kind: 'deny', pattern: one }))).rejects.toThrow('no rule deny')
  })

  it('hides one version, and the one before is the latest', async () => {
    await using registry = await open()
    await registry.publish(documentOf(one, '1.0.0', { title: 'first' }))
    await registry.publish(documentOf(one, '2.0.0', { title: 'second' }))
    await registry.registry.curate(rule({ kind: 'deny', pattern: `${one}@2.0.0` }))
    expect(await listed(registry)).toEqual([`${one}@1.0.0*`])
    expect(await found(registry, 'q=first')).toEqual([`${one}@1.0.0*`])
    expect(await found(registry, 'q=second')).toEqual([])
  })

  it('lists only what is allowed, once there is an allow list', async () => {
    await using registry = await open()
    for (const name of ['com.example/one', 'com.example/two', 'org.other/one']) {
      await registry.publish(documentOf(name, '1.0.0'))
    }
    const { registry: own } = registry
    await own.curate(rule({ kind: 'allow', pattern: 'com.example/*' }))
    await own.curate(rule({ kind: 'deny', pattern: 'com.example/two' }))
    await registry.publish(documentOf('org.other/two', '1.0.0'))
    expect(await listed(registry)).toEqual(['com.example/one@1.0.0*'])
    await own.curate(undo({ kind: 'allow', pattern: 'com.example/*' }))
    expect(await listed(registry)).toEqual([
      'com.example/one@1.0.0*',
      'org.other/one@1.0.0*',
      'org.other/two@1.0.0*',
    ])
  })

  it('keeps a pinned version the latest, whatever is published', async () => {
    await using registry = await open()
    await registry.publish(documentOf(one, '1.0.0'))
    await registry.publish(documentOf(one, '2.0.0'))
    const { registry: own } = registry
    await own.curate(rule({ kind: 'pin', pattern: one, value: '1.0.0' }))
    expect(await listed(registry)).toEqual([`${one}@1.0.0*`, `${one}@2.0.0`])
    await registry.publish(documentOf(one, '3.0.0'))
    expect(await listed(registry)).toEqual([`${one}@1.0.0*`, `${one}@2.0.0`, `${one}@3.0.0`])
    // A pin to a version that is deleted gives way.
    await registry.ask(`${path}/1.0.0`, { method: 'DELETE' })
    expect(await listed(registry)).toEqual([`${one}@2.0.0`, `${one}@3.0.0*`])
    await own.curate(rule({ kind: 'pin', pattern: one, value: '2.0.0' }))
    expect(await listed(registry)).toEqual([`${one}@2.0.0*`, `${one}@3.0.0`])
    await own.curate(undo({ kind: 'pin', pattern: one }))
    expect(await listed(registry)).toEqual([`${one}@2.0.0`, `${one}@3.0.0*`])
  })

  it('adds what an overlay says, to mirrored entries too, and changes nothing of theirs [REG-05]', async () => {
    await using upstream = await open()
    await using lower = await open()
    await upstream.publish(documentOf(one, '1.0.0'))
    const { registry: own } = lower
    const overlay = { 'com.mirror/rating': { stars: 5 } }
    await own.curate(rule({ kind: 'overlay', pattern: 'com.example/*', value: overlay }))
    const source = { id: 'upstream', url: 'http://upstream.test' }
    await own.sync({ source, fetch: upstream.registry.fetch })
    await lower.publish(documentOf('com.example/own', '1.0.0'))
    const [there, here, mine] = await Promise.all([
      upstream.ask(`${path}/latest`),
      lower.ask(`${path}/latest`),
      lower.ask('servers/com.example%2Fown/versions/latest'),
    ])
    const { server, _meta: meta } = there.body as { server: object; _meta: object }
    const from = { 'dev.parley.registry/source': 'upstream' }
    expect(here.body).toEqual({ server, _meta: { ...meta, ...overlay, ...from } })
    expect(mine.body).toMatchObject({ _meta: overlay })
    await expect(
      own.curate(
        rule({
          kind: 'overlay',
          pattern: one,
          value: { 'io.modelcontextprotocol.registry/official': { status: 'active' } },
        }),
      ),
    ).rejects.toThrow('use a domain of yours')
  })

  it('shows private entries to those who may publish them, and to nobody else [REG-06]', async () => {
    const database = await databases.create()
    await using registry = await openRegistry({
      database,
      url: 'http://registry.test',
      auth: { anonymous: true },
    })
    await registry.publish(documentOf('com.example/open', '1.0.0', { description: 'a word' }))
    await registry.registry.curate(rule({ kind: 'private', pattern: 'com.secret/*' }))
    await registry.publish(documentOf('com.secret/own', '1.0.0', { description: 'a word' }))
    const signedIn = await registry.ask('auth/none', { body: {}, token: false })
    const { registry_token: other } = signedIn.body as { registry_token: string }
    const admin = await registry.token()
    const asked = [
      'servers',
      'servers?include_deleted=true',
      'servers?updated_since=2020-01-01T00:00:00Z',
      'servers?search=secret',
      'servers/com.secret%2Fown/versions',
      'servers/com.secret%2Fown/versions/1.0.0?include_deleted=true',
      'x/search?q=word',
      'x/search',
      'x/suggest?q=own',
      'x/changes',
      'x/config?name=com.secret/own',
      'x/trust?name=com.secret/own',
      'x/feed.atom',
    ]
    for (const query of asked) {
      for (const token of [false, other] as const) {
        const { body } = await registry.ask(query, { token })
        expect(JSON.stringify(body), query).not.toContain('com.secret')
      }
    }
    for (const query of asked.slice(0, -2)) {
      const answer = await registry.ask(query, { token: admin })
      expect(JSON.stringify(answer.body), query).toContain('com.secret')
      expect(answer.headers.get('cache-control') ?? '', query).not.toContain('public')
    }
    const folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
    try {
      await registry.registry.exportStatic(folder)
      const files = ['servers/index.json', 'x/snapshot.ndjson']
      for (const file of files) {
        const text = readFileSync(join(folder, 'v0.1', file), 'utf8')
        expect(text).toContain('com.example/open')
        expect(text).not.toContain('com.secret')
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('tells mirrors what was hidden, and they drop it', async () => {
    await using upstream = await open()
    await using lower = await open()
    const source = { id: 'upstream', url: 'http://upstream.test' }
    const sync = () => lower.registry.sync({ source, fetch: upstream.registry.fetch })
    await upstream.publish(documentOf(one, '1.0.0'))
    await sync()
    expect(await listed(lower)).toEqual([`${one}@1.0.0*`])
    await upstream.registry.curate(rule({ kind: 'block', pattern: 'com.example' }))
    await sync()
    expect(await listed(lower)).toEqual([])
    await upstream.registry.curate(undo({ kind: 'block', pattern: 'com.example' }))
    await sync()
    expect(await listed(lower)).toEqual([`${one}@1.0.0*`])
  })

  it('finishes what an earlier process began', async () => {
    const database = await databases.create()
    {
      await using registry = await openRegistry({ database })
      await registry.publish(documentOf(one, '1.0.0'))
    }
    const { openDatabase } = await import('../../src/storage/open-database.ts')
    const { markPending } = await import('../../src/curation/apply-rules.ts')
    {
      await using raw = await openDatabase(database)
      await raw.queries.transaction().execute(async (writing) => {
        const row = { value: null, reason: 'spam', author: 'a', at: '2026-01-01T00:00:00.000Z' }
        await writing
          .insertInto('registry_rules')
          .values({ kind: 'deny', pattern: one, ...row })
          .execute()
        await markPending(writing)
      })
    }
    await using again = await openRegistry({ database })
    expect(await listed(again)).toEqual([])
  })

  it.each<[string, Omit<CurationChange, 'reason' | 'action'>, string]>([
    ['a kind that there is not', { kind: 'hide' as 'deny', pattern: one }, 'kind must be one of'],
    ['a pattern that is no name', { kind: 'deny', pattern: "x' or 1=1" }, 'pattern must be'],
    ['a star that hides all', { kind: 'deny', pattern: '*' }, 'pattern must be'],
    ['a pin without a version', { kind: 'pin', pattern: one }, 'value must be'],
    [
      'an overlay that is no object',
      { kind: 'overlay', pattern: one, value: [] },
      'must be an object',
    ],
  ])('refuses %s', async (_, change, why) => {
    await using registry = await open()
    await expect(registry.registry.curate(rule(change))).rejects.toThrow(why)
  })

  describe('by moderators', () => {
    const auth = { keys: { admin: { ...adminKeys.admin, moderate: ['com.example/*'] } } }

    it('hides, restores and blocks with a reason, and says so to moderators only [REG-07]', async () => {
      await using registry = await openRegistry({ database: await databases.create(), auth })
      await registry.publish(documentOf(one, '1.0.0'))
      await registry.publish(documentOf('com.examp1e/one', '1.0.0'))
      const moderate = (body: object) => registry.ask('x/moderation', { body })
      const hidden = await moderate({ action: 'hide', name: one, reason: 'malware' })
      expect([hidden.status, hidden.body]).toEqual([200, { changed: 1 }])
      await moderate({ action: 'note', name: one, text: 'asked the publisher' })
      const token = await registry.token()
      const { body } = await registry.ask('x/moderation', { token })
      expect(body).toMatchObject({
        rules: [{ kind: 'deny', pattern: one, reason: 'malware', author: 'key:admin' }],
        notes: [{ name: one, text: 'asked the publisher', author: 'key:admin' }],
        flagged: [{ server: { name: 'com.examp1e/one' } }],
      })
      expect((await moderate({ action: 'restore', name: one, reason: 'clean' })).status).toBe(200)
      const blocked = await moderate({ action: 'block', publisher: 'com.example', reason: 'spam' })
      expect(blocked.status).toBe(200)
      const refused = await registry.publish(documentOf('com.example/two', '1.0.0'))
      expect(refused.status).toBe(403)
      expect(JSON.stringify(refused.body)).toContain('com.example is blocked: spam')
      expect(await listed(registry)).toEqual(['com.examp1e/one@1.0.0*'])
    })

    it.each<[object, number, string]>([
      [{ action: 'hide', name: 'org.other/x', reason: 'no' }, 403, 'permission to moderate'],
      [{ action: 'block', publisher: 'org.other', reason: 'no' }, 403, 'permission to moderate'],
      [{ action: 'set', kind: 'allow', pattern: 'com.example/*', reason: 'no' }, 403, 'permission'],
      [{ action: 'hide', name: one }, 422, 'reason must say why'],
      [{ action: 'erase', name: one, reason: 'no' }, 422, 'hide, restore'],
      [{ action: 'restore', name: one, reason: 'no' }, 404, 'no rule deny'],
      [{ action: 'note', name: one, text: '' }, 422, 'A note needs'],
    ])('refuses %j', async (body, status, why) => {
      await using registry = await openRegistry({ database: await databases.create(), auth })
      const answer = await registry.ask('x/moderation', { body })
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        status,
        expect.stringContaining(why),
      ])
    })

    it('is not for publishers, nor for strangers', async () => {
      await using registry = await openRegistry({ database: await databases.create() })
      const decision = { action: 'hide', name: one, reason: 'no' }
      expect((await registry.ask('x/moderation', { body: decision })).status).toBe(403)
      expect((await registry.ask('x/moderation', { token: false })).status).toBe(401)
      const asPublisher = await registry.ask('x/moderation', { token: await registry.token() })
      expect(asPublisher.status).toBe(403)
    })
  })
})

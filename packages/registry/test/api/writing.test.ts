import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import {
  detailOf,
  documentOf,
  openRegistry,
  versionsIn,
  type Answer,
  type TestRegistry,
} from '../registry-under-test.ts'

const path = 'servers/com.example%2Fone'

function officialOf({ body }: Answer): { readonly [field: string]: unknown } {
  const { _meta: meta } = body as { _meta: { [key: string]: { [field: string]: unknown } } } // a version has it
  return meta['io.modelcontextprotocol.registry/official'] ?? {}
}

describe.each(kinds)('writing on %s', (kind) => {
  let databases: Databases
  let registry: TestRegistry
  let now = 0
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  async function start(versions: readonly string[]): Promise<TestRegistry> {
    now = Date.parse('2026-05-01T12:00:00Z')
    registry = await openRegistry({ database: await databases.create(), now: () => now })
    for (const version of versions) await registry.publish(documentOf('com.example/one', version))
    now += 5_000
    return registry
  }

  it('moves a version through its states and the flag with it', async () => {
    await using _ = await start(['1.0.0', '2.0.0'])
    const patch = (body: object) =>
      registry.ask(`${path}/versions/2.0.0/status`, { method: 'PATCH', body })
    const deprecated = await patch({ status: 'deprecated', statusMessage: 'use 3' })
    expect(officialOf(deprecated)).toEqual({
      status: 'deprecated',
      statusMessage: 'use 3',
      statusChangedAt: '2026-05-01T12:00:05.000Z',
      publishedAt: '2026-05-01T12:00:00.000Z',
      updatedAt: '2026-05-01T12:00:05.000Z',
      isLatest: true,
    })
    now += 5_000
    const reworded = await patch({ status: 'deprecated', statusMessage: 'use 4' })
    expect(officialOf(reworded)).toMatchObject({
      statusChangedAt: '2026-05-01T12:00:05.000Z',
      updatedAt: '2026-05-01T12:00:10.000Z',
    })
    const same = await patch({ status: 'deprecated', statusMessage: 'use 4' })
    expect([same.status, detailOf(same)]).toEqual([
      400,
      'No changes to apply: status is already deprecated',
    ])
    expect(officialOf(await patch({ status: 'deleted' }))).toMatchObject({ isLatest: false })
    expect(versionsIn(await registry.ask('servers'))).toEqual(['com.example/one@1.0.0*'])
    const restored = officialOf(await patch({ status: 'active' }))
    expect(restored).toMatchObject({ status: 'active', isLatest: true })
    expect(restored).not.toHaveProperty('statusMessage')
  })

  it('changes all versions or none', async () => {
    await using _ = await start(['1.0.0', '2.0.0'])
    const patch = (body: object) => registry.ask(`${path}/status`, { method: 'PATCH', body })
    const all = await patch({ status: 'deleted', statusMessage: 'moved' })
    expect(all.body).toMatchObject({ updatedCount: 2 })
    expect(versionsIn(all).toSorted()).toEqual(['com.example/one@1.0.0', 'com.example/one@2.0.0*'])
    expect((await registry.ask(`${path}/versions`)).status).toBe(404)
    expect((await patch({ status: 'deleted', statusMessage: 'moved' })).status).toBe(400)
    // A new version is the latest, whatever was deleted before.
    const next = await registry.publish(documentOf('com.example/one', '0.9.0'))
    expect(officialOf(next)).toMatchObject({ isLatest: true })
    expect(await patch({ status: 'active' })).toMatchObject({ body: { updatedCount: 2 } })
    expect(versionsIn(await registry.ask('servers?version=latest'))).toEqual([
      'com.example/one@2.0.0*',
    ])
  })

  it.each<[object, number, string]>([
    [{ status: 'gone' }, 422, 'body.status expected one of active, deprecated, deleted'],
    [{}, 422, 'body.status'],
    [[], 422, 'body.status'],
    [{ status: 'active', statusMessage: 'x' }, 400, 'has no meaning for the status active'],
    [{ status: 'deleted', statusMessage: 'x'.repeat(501) }, 422, 'at most 500 characters'],
    [{ status: 'deleted', statusMessage: 1 }, 422, 'body.statusMessage'],
  ])('refuses the change %j', async (body, status, text) => {
    await using _ = await start(['1.0.0'])
    for (const each of [`${path}/status`, `${path}/versions/1.0.0/status`]) {
      const answer = await registry.ask(each, { method: 'PATCH', body })
      expect(answer.status).toBe(status)
      expect(detailOf(answer)).toContain(text)
    }
  })

  it('overwrites the document of a version and nothing else', async () => {
    await using _ = await start(['1.0.0'])
    const put = (document: object) =>
      registry.ask(`${path}/versions/1.0.0`, { method: 'PUT', body: document })
    const remotes = [{ type: 'sse', url: 'https://one.example.com/sse' }]
    const changed = await put(
      documentOf('com.example/one', '1.0.0', { description: 'new', remotes }),
    )
    expect(changed.body).toMatchObject({ server: { description: 'new' } })
    expect(officialOf(changed)).toMatchObject({
      publishedAt: '2026-05-01T12:00:00.000Z',
      updatedAt: '2026-05-01T12:00:05.000Z',
    })
    expect(versionsIn(await registry.ask('servers?search=new'))).toHaveLength(1)
    expect(detailOf(await put(documentOf('com.example/two', '1.0.0')))).toContain('Cannot rename')
    expect(detailOf(await put(documentOf('com.example/one', '1.0.1')))).toContain(
      'the version must be 1.0.0',
    )
    const missing = await registry.ask(`${path}/versions/9.0.0`, {
      method: 'PUT',
      body: documentOf('com.example/one', '9.0.0'),
    })
    expect(missing.status).toBe(404)
    const taken = await registry.publish(documentOf('com.example/two', '1.0.0', { remotes }))
    expect(detailOf(taken)).toContain('already used by server com.example/one')
  })

  it('drops metadata that is not the publisher’s', async () => {
    await using _ = await start([])
    const own = { tool: 'x', nested: { deep: [1] } }
    const published = await registry.publish(
      documentOf('com.example/one', '1.0.0', {
        _meta: {
          'io.modelcontextprotocol.registry/publisher-provided': own,
          'io.modelcontextprotocol.registry/official': { status: 'deleted' },
          'com.example': {},
        },
      }),
    )
    expect(published.body).toMatchObject({
      server: { _meta: { 'io.modelcontextprotocol.registry/publisher-provided': own } },
    })
    const { server } = published.body as { server: { _meta: object } }
    expect(Object.keys(server._meta)).toHaveLength(1)
  })

  it.each<[string, RequestInit['body'], string, number]>([
    ['text/plain', '{}', 'Content-Type: application/json', 415],
    ['application/json', '{', 'not valid JSON', 400],
    ['application/json', '[]', 'has no name', 422],
    ['application/json', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'not valid JSON', 400],
    ['application/json', JSON.stringify({ a: 'x'.repeat(300 * 1024) }), 'longer than', 413],
    ['application/json', Buffer.from([0x22, 0xff, 0x22]), 'not UTF-8', 400],
  ])('refuses a body of %s: %.20s', async (type, body, text, status) => {
    await using _ = await start([])
    const { registry: bare } = registry
    const sent = new Request('http://registry.test/v0.1/publish', {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${await registry.token()}` },
      ...(body !== undefined && { body }),
    })
    const response = await bare.fetch(sent)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(text)
  })

  it('answers 501 to everything that writes when it is read-only', async () => {
    const database = await databases.create()
    await using readOnly = await openRegistry({ database, readOnly: true })
    const asked = await Promise.all([
      readOnly.ask('publish', { body: {}, token: 'x' }),
      readOnly.ask(`${path}/versions/1`, { method: 'PUT', body: {}, token: 'x' }),
      readOnly.ask(`${path}/versions/1`, { method: 'DELETE', token: 'x' }),
      readOnly.ask(`${path}/status`, { method: 'PATCH', body: {}, token: 'x' }),
      readOnly.ask('auth/none', { body: {}, token: 'x' }),
    ])
    expect(asked.map(({ status }) => status)).toEqual([501, 501, 501, 501, 501])
    expect(asked.slice(0, 3).map(detailOf)).toEqual([
      'Publishing is not supported by this registry',
      'Updates are not supported by this registry',
      'Deletion is not supported by this registry',
    ])
    expect((await readOnly.ask('servers')).status).toBe(200)
  })

  it('counts requests by address and effort', async () => {
    const database = await databases.create()
    const rates = { read: { burst: 2, perMinute: 60 } }
    await using limited = await openRegistry({ database, rates, now: () => now })
    const ask = async (address: string) => {
      const request = new Request('http://registry.test/v0.1/ping')
      const { status, headers } = await limited.registry.fetch(request, { address })
      return [status, headers.get('retry-after')]
    }
    expect(await ask('192.0.2.1')).toEqual([200, null])
    expect(await ask('192.0.2.1')).toEqual([200, null])
    expect(await ask('192.0.2.1')).toEqual([429, '1'])
    expect(await ask('192.0.2.2')).toEqual([200, null])
    now += 1_000
    expect(await ask('192.0.2.1')).toEqual([200, null])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import type { Answer } from '../registry-under-test.ts'
import {
  detailOf,
  documentOf,
  openRegistry,
  versionsIn,
  type TestRegistry,
} from '../registry-under-test.ts'

describe.each(kinds)('reading on %s', (kind) => {
  let databases: Databases
  let registry: TestRegistry
  let now = Date.parse('2026-05-01T12:00:00Z')

  beforeAll(async () => {
    databases = await openDatabases(kind)
    registry = await openRegistry({ database: await databases.create(), now: () => now })
    const published = [
      ['com.example/alpha', '1.0.0', 'Reads the 100% of_everything'],
      ['com.example/alpha', '1.1.0', 'Reads the 100% of_everything'],
      ['com.example/beta', '2.0.0+build/7', 'Ünïcode WEATHER'],
      ['com.example/gamma', 'spring', 'plain'],
      ['com.example/gone', '1.0.0', 'plain'],
    ] as const
    for (const [name, version, description] of published) {
      now += 1_000
      expect((await registry.publish(documentOf(name, version, { description }))).status).toBe(200)
    }
    await registry.ask('servers/com.example%2Fgone/versions/1.0.0', { method: 'DELETE' })
  })
  afterAll(async () => {
    await registry[Symbol.asyncDispose]()
    await databases[Symbol.asyncDispose]()
  })

  const all = [
    'com.example/alpha@1.0.0',
    'com.example/alpha@1.1.0*',
    'com.example/beta@2.0.0+build/7*',
    'com.example/gamma@spring*',
  ]

  it.each(['/v0.1/', '/v0/'])(
    'lists all versions by name and version below %s [REG-03]',
    async (prefix) => {
      const answer = await registry.ask('servers', { prefix })
      expect(answer.status).toBe(200)
      expect(versionsIn(answer)).toEqual(all)
      expect(answer.body).toMatchObject({ metadata: { count: 4 } })
      expect(JSON.stringify(answer.body)).not.toContain('nextCursor')
    },
  )

  it('pages to the end, without an empty page [REG-03]', async () => {
    const seen: string[] = []
    let cursor = ''
    let pages = 0
    do {
      const answer = await registry.ask(`servers?limit=2&cursor=${encodeURIComponent(cursor)}`)
      seen.push(...versionsIn(answer))
      const { metadata } = answer.body as { metadata: { nextCursor?: string } }
      cursor = metadata.nextCursor ?? ''
      pages += 1
    } while (cursor !== '')
    expect(seen).toEqual(all)
    expect(pages).toBe(2)
  })

  it('takes the cursor of other registries', async () => {
    const answer = await registry.ask('servers?cursor=com.example/alpha:1.1.0')
    expect(versionsIn(answer)).toEqual(all.slice(2))
  })

  it.each([
    ["com.example/a:1' or 1=1 --", 200],
    ['WyJhIiwiYiIsInh4eHh4eHh4Il0', 400],
    ['bm90IGpzb24gYXQgYWxs', 400],
    ["' or '1'='1", 400],
    ['x'.repeat(1_900), 400],
  ])('treats %s as a cursor and nothing else', async (cursor, status) => {
    const answer = await registry.ask(`servers?cursor=${encodeURIComponent(cursor)}`)
    expect(answer.status).toBe(status)
    if (status === 200) expect(versionsIn(answer)).toEqual(all)
    else expect(detailOf(answer)).toContain('The cursor is not valid')
  })

  it.each([
    ['search=ALPHA', all.slice(0, 2)],
    ['q=alpha', all.slice(0, 2)],
    ['search=weather', all.slice(2, 3)],
    ['search=%C3%BCn%C3%AFcode', all.slice(2, 3)],
    ['search=100%25', all.slice(0, 2)],
    ['search=of_every', all.slice(0, 2)],
    ['search=ofxevery', []],
    ['search=%25', all.slice(0, 2)],
    ['search=%5C', []],
    ['search=a%22%20OR%20%22b', []],
    ["search='%20or%201=1%20--", []],
    ['search=gone', []],
    ['search=gone&include_deleted=true', ['com.example/gone@1.0.0*']],
    ['version=latest', all.slice(1)],
    ['version=1.0.0', all.slice(0, 1)],
    ['version=latest&search=alpha', all.slice(1, 2)],
    ['updated_since=2026-05-01T12:00:03Z', [...all.slice(3), 'com.example/gone@1.0.0*']],
    ['updated_since=2026-05-01T14:00:03%2B02:00', [...all.slice(3), 'com.example/gone@1.0.0*']],
    ['updated_since=2026-05-01T12:00:03Z&search=gamma', all.slice(3)],
  ])('filters by %s [REG-03]', async (query, expected) => {
    expect(versionsIn(await registry.ask(`servers?${query}`))).toEqual(expected)
  })

  it.each<[string, number, string]>([
    ['limit=0', 422, 'The query parameter limit must be a whole number from 1 to 100, not "0".'],
    ['limit=101', 422, 'from 1 to 100'],
    ['limit=ten', 422, 'from 1 to 100'],
    ['limit=1e1', 422, 'from 1 to 100'],
    ['updated_since=yesterday', 400, 'must be a time such as'],
    ['include_deleted=maybe', 422, 'must be true or false'],
    ['serch=x', 400, 'The query parameter "serch" is unknown. Did you mean search?'],
    ['updatedSince=x', 400, 'Did you mean updated_since?'],
    ['zzzzzz=x', 400, 'Known: cursor, limit, search, updated_since, version, include_deleted.'],
    ['limit=1&limit=2', 400, 'given more than once'],
    ['search=a&q=b', 400, 'given more than once'],
    ['search=%00', 400, 'U+0000'],
  ])('refuses %s', async (query, status, text) => {
    const answer = await registry.ask(`servers?${query}`)
    expect(answer.status).toBe(status)
    expect(detailOf(answer)).toContain(text)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({ status, error: detailOf(answer) })
  })

  it('finds versions by encoded names, and where a proxy has decoded the slash', async () => {
    const one = await registry.ask('servers/com.example%2Fbeta/versions/2.0.0%2Bbuild%2F7')
    expect(one.body).toMatchObject({
      server: { name: 'com.example/beta', version: '2.0.0+build/7' },
    })
    const decoded = await registry.ask('servers/com.example/beta/versions/2.0.0+build/7')
    expect(decoded.body).toEqual(one.body)
    const versions = await registry.ask('servers/com.example/alpha/versions')
    expect(versionsIn(versions)).toEqual([all[1], all[0]])
  })

  it.each([
    'servers/com.example%2Fgone/versions',
    'servers/com.example%2Fgone/versions/1.0.0',
    'servers/com.example%2Fgone/versions/latest',
    'servers/com.example%2Fnone/versions',
    'servers/com.example/versions',
    'servers/com.example%2Falpha/versions/9.9.9',
  ])('answers 404 for %s', async (path) => {
    const answer = await registry.ask(path)
    expect(answer.status).toBe(404)
    expect(detailOf(answer)).toBe('Server not found')
  })

  it('shows deleted versions to those who ask for them', async () => {
    const path = 'servers/com.example%2Fgone/versions'
    expect(versionsIn(await registry.ask(`${path}?include_deleted=true`))).toHaveLength(1)
    const latest = await registry.ask(`${path}/latest?include_deleted=true`)
    expect(latest.body).toMatchObject({ server: { version: '1.0.0' } })
  })

  it('answers 304 to a tag that still holds', async () => {
    const first = await registry.ask('servers')
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('public, max-age=60')
    const same = await registry.ask('servers', { headers: { 'if-none-match': `"x", W/${tag}` } })
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', tag])
    const other = await registry.ask('servers?limit=1', { headers: { 'if-none-match': tag } })
    expect(other.status).toBe(200)
  })

  it.each<[string, string, number, (answer: Answer) => unknown, unknown]>([
    ['/', 'servers', 404, detailOf, expect.stringContaining('use /v0.1/servers')],
    ['/', 'nothing', 404, detailOf, expect.stringContaining('/openapi.json')],
    ['/v0.1/', 'nothing', 404, detailOf, expect.stringContaining('There is nothing at')],
    ['/v0.1/', 'servers/', 308, ({ headers }) => headers.get('location'), '/v0.1/servers'],
    ['/v0.1/', 'servers/%E0%A4%A/versions', 400, detailOf, expect.stringContaining('not encoded')],
    ['/v0.1/', 'ping', 200, ({ body }) => body, { pong: true }],
    ['/v0.1/', 'health', 200, ({ body }) => body, { status: 'ok' }],
  ])('answers %s%s with %d', async (prefix, path, status, look, expected) => {
    const answer = await registry.ask(path, { prefix })
    expect(answer.status).toBe(status)
    expect(look(answer)).toEqual(expected)
  })

  it('says which methods a path has', async () => {
    const answer = await registry.ask('servers', { method: 'DELETE', token: false })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it('lets pages of other origins ask, also with a token', async () => {
    const headers = {
      origin: 'https://page.example',
      'access-control-request-headers': 'authorization, content-type',
    }
    const answer = await registry.ask('publish', { method: 'OPTIONS', token: false, headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('describes its API [REG-04]', async () => {
    const { status, body } = await registry.ask('openapi.json', { prefix: '/' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v0.1/servers': { get: {} },
        '/v0.1/publish': { post: {} },
        '/v0.1/servers/{serverName}/versions/{version}/status': { patch: {} },
      },
    })
  })
})

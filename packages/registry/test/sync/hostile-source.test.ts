import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createRegistryClient, readPublisherKey } from '@parley/registry/client'
import { describe, expect, it, onTestFinished } from 'vitest'

import { documentOf, openRegistry, versionsIn, type TestRegistry } from '../registry-under-test.ts'

type Fetch = (request: Request) => Promise<Response>

const source = { id: 'upstream', url: 'http://upstream.test' }

const sync = (to: TestRegistry, fetch: Fetch | undefined, more: object = {}) =>
  to.registry.sync({ source: { ...source, ...more }, fetch, maxAttempts: 1, pauseMs: 1 })

/** A page with these documents, as a source answers. */
const pageOf =
  (...documents: readonly object[]): Fetch =>
  async () =>
    Response.json({
      servers: documents.map((server) => ({
        server,
        _meta: {
          'io.modelcontextprotocol.registry/official': {
            status: 'active',
            publishedAt: '2026-01-01T00:00:00Z',
            isLatest: true,
          },
          'dev.parley.registry/source': 'another',
        },
      })),
      metadata: {},
    })

const metaOf = async (registry: TestRegistry, name: string) => {
  const { body } = await registry.ask(`servers/${encodeURIComponent(name)}/versions/latest`)
  return (body as { readonly _meta: { readonly [key: string]: unknown } })._meta // as the API has it
}

async function listening(answer: (url: string) => string): Promise<string> {
  const server: Server = createServer(({ url = '' }, response) => {
    response.writeHead(302, { location: answer(url) }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on an address
}

describe('a source of a mirror', () => {
  it.each([
    ['http://169.254.169.254/latest/meta-data', 'without TLS'],
    ['https://169.254.169.254/latest/meta-data', 'which is not public'],
    ['https://[::1]/x', 'which is not public'],
    ['https://localhost:1/x', 'which is not public'],
    ['https://ada:secret@example.com/x', 'with a user name or password'],
    ['file:///etc/passwd', 'without TLS'],
  ])('cannot lead to %s', async (location, why) => {
    await using registry = await openRegistry({ database: ':memory:' })
    const url = await listening(() => location)

    await expect(sync(registry, undefined, { url })).rejects.toThrow(why)
    await expect(createRegistryClient({ url }).search('x')).rejects.toThrow(why)
  })

  it('may move below its own origin, and to a public address without its token', async () => {
    await using registry = await openRegistry({ database: ':memory:' })
    const asked: string[] = []
    const moved: Fetch = async (request) => {
      const { origin } = new URL(request.url)
      asked.push(`${origin} ${request.headers.get('authorization')}`)
      const next = { 'http://upstream.test': 'https://new.example/v0.1/servers' }[origin]
      if (next !== undefined)
        return new Response(null, { status: 301, headers: { location: next } })
      return pageOf(documentOf('com.example/one', '1.0.0'))(request)
    }

    expect(await sync(registry, moved, { token: 'secret' })).toMatchObject({ changed: 1 })
    expect(asked.at(0)).toBe('http://upstream.test Bearer secret')
    expect(asked.at(-1)).toBe('https://new.example null')
  })

  it.each([
    ['websiteUrl', { websiteUrl: 'javascript:alert(1)' }],
    ['repository.url', { repository: { url: 'file:///etc/passwd', source: 'github' } }],
    ['icons[0].src', { icons: [{ src: 'data:text/html,<script>' }] }],
    ['remotes[0].url', { remotes: [{ type: 'sse', url: 'file:///etc/passwd' }] }],
  ])('adds nothing with a hostile %s', async (place, part) => {
    await using registry = await openRegistry({ database: ':memory:' })

    const report = await sync(registry, pageOf(documentOf('com.example/one', '1.0.0', part)))

    expect(report.changed).toBe(0)
    expect(report.refused).toEqual([
      `com.example/one@1.0.0 has ${place}, which is not a web address`,
    ])
  })

  it('adds nothing that is large with fields of no format', async () => {
    await using registry = await openRegistry({ database: ':memory:' })
    const part = { unknown: 'x'.repeat(5_000) }

    const report = await sync(registry, pageOf(documentOf('com.example/one', '1.0.0', part)))

    expect(report.changed).toBe(0)
    expect(report.refused).toEqual([
      expect.stringContaining('fields that the format does not have'),
    ])
  })

  it('is named at every entry of it, whatever it says, and what would not be installed is marked', async () => {
    await using registry = await openRegistry({ database: ':memory:' })
    const packages = [
      { registryType: 'npm', identifier: 'one', version: '^1.0.0', transport: { type: 'stdio' } },
    ]
    await sync(registry, pageOf(documentOf('com.example/one', '1.0.0', { packages })))

    expect(await metaOf(registry, 'com.example/one')).toMatchObject({
      'dev.parley.registry/source': 'upstream',
      'dev.parley.registry/flags': [
        expect.stringContaining('`parley add` refuses it: packages[0].version is not one exact'),
      ],
    })
  })

  it('does not keep an owner from a URL that it names, too', async () => {
    await using registry = await openRegistry({ database: ':memory:' })
    const remotes = [{ type: 'sse', url: 'https://mcp.example.com/mcp' }]
    await sync(registry, pageOf(documentOf('org.squatter/one', '1.0.0', { remotes })))

    const published = await registry.publish(documentOf('com.example/one', '1.0.0', { remotes }))

    expect(published.status).toBe(200)
  })

  it.each([
    ['in which somebody has published here', undefined],
    ['that a key of this registry may publish to', ['com.example/*']],
  ])('adds no name to a namespace %s', async (_, publish) => {
    const base = { algorithm: 'ed25519', publicKey: Buffer.alloc(32).toString('base64') } as const
    const auth = publish && { keys: { team: { ...base, publish } } }
    await using registry = await openRegistry({ database: ':memory:', ...(auth && { auth }) })
    if (publish === undefined) await registry.publish(documentOf('com.example/own', '1.0.0'))
    const page = pageOf(
      documentOf('com.example/confused', '99.0.0'),
      documentOf('com.example-two/fine', '1.0.0'),
    )

    const report = await sync(registry, page)

    expect(report.refused).toEqual([
      'com.example/confused is in a namespace of this registry: allow com.example/* to take it',
    ])
    expect(versionsIn(await registry.ask('servers?limit=100'))).toContain(
      'com.example-two/fine@1.0.0*',
    )
    expect(await sync(registry, page, { allow: ['com.example/*'] })).toMatchObject({ changed: 1 })
  })
})

describe('a source with a key', () => {
  const hex = '11'.repeat(32)
  const key = readPublisherKey(hex).publicKey

  it('adds only what its signed index has', async () => {
    let now = Date.now() - 60 * 60_000
    const options = { database: ':memory:', indexKey: hex, now: () => now }
    await using upstream = await openRegistry(options)
    await using registry = await openRegistry({ database: ':memory:' })
    await upstream.registry.importDocuments([documentOf('com.example/two', '1.0.0')])
    now += 10 * 60_000 // more than a run looks back
    await upstream.registry.importDocuments([documentOf('com.example/one', '1.0.0')])
    let isForging = true
    const forging: Fetch = async (request) => {
      const response = await upstream.registry.fetch(request)
      if (!isForging || request.url.includes('x/index')) return response
      return new Response((await response.text()).replace('About com.example/two', 'Evil'))
    }

    expect(await sync(registry, forging, { key })).toMatchObject({
      changed: 1,
      refused: ['com.example/two@1.0.0 is not what the index has'],
    })
    isForging = false
    // What was refused is asked for again.
    expect(await sync(registry, forging, { key })).toMatchObject({ changed: 1, refused: [] })
  })

  it('adds nothing without an index, with one of another key, or with an older one', async () => {
    await using upstream = await openRegistry({ database: ':memory:', indexKey: hex })
    await using unsigned = await openRegistry({ database: ':memory:' })
    await using registry = await openRegistry({ database: ':memory:' })
    await upstream.publish(documentOf('com.example/one', '1.0.0'))
    const old = await upstream.registry.fetch(new Request('http://upstream.test/v0.1/x/index'))
    const oldText = await old.text()
    await upstream.publish(documentOf('com.example/one', '1.0.1'))
    const rolledBack: Fetch = async (request) =>
      request.url.includes('x/index') ? new Response(oldText) : upstream.registry.fetch(request)
    const other = readPublisherKey('22'.repeat(32)).publicKey

    await expect(sync(registry, unsigned.registry.fetch, { key })).rejects.toThrow(
      'no signed index',
    )
    await expect(sync(registry, upstream.registry.fetch, { key: other })).rejects.toThrow(
      'was not signed with the key',
    )
    expect(await sync(registry, upstream.registry.fetch, { key })).toMatchObject({ changed: 2 })
    await expect(sync(registry, rolledBack, { key })).rejects.toThrow('older than one')
  })
})

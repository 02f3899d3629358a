import { createRegistryClient, officialRegistry, openCatalogue } from '@parley/registry/client'
import { expect, it, onTestFinished } from 'vitest'

import { documentOf, openRegistry } from '../registry-under-test.ts'

/** Answers what a registry without our extensions does, with fields that nobody knows yet. */
function otherRegistry(asked: string[]): (request: Request) => Promise<Response> {
  const entry = (name: string, version: string, isLatest: boolean) => ({
    server: { ...documentOf(name, version), somethingNew: { of: 'tomorrow' } },
    _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest } },
    more: 1,
  })
  return async (request) => {
    asked.push(request.url)
    if (new URL(request.url).pathname.includes('/x/')) {
      return new Response('<h1>not found</h1>', { status: 404 })
    }
    // As plain files do: whatever is asked for, all of it is answered.
    return Response.json({
      servers: [
        entry('com.example/weather', '1.0.0', false),
        entry('com.example/weather', '2.0.0', true),
        entry('com.example/maps', '1.0.0', true),
      ],
      metadata: {},
    })
  }
}

it('asks the registry that is live, unless another one is named [HDEC-08]', async () => {
  const asked: string[] = []
  const fetch = otherRegistry(asked)

  await openCatalogue({ fetch }).search('weather')
  const own = { PARLEY_REGISTRY: 'https://own.example/v0.1/' }
  await openCatalogue({ fetch, env: own }).search('weather')

  expect(officialRegistry).toBe('https://registry.modelcontextprotocol.io')
  expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(
    new Set([officialRegistry, 'https://own.example']),
  )
  expect(new Set(asked.map((url) => new URL(url).pathname))).toEqual(
    new Set(['/v0.1/x/search', '/v0.1/servers']),
  )
})

it('understands a registry that is a preview: without extensions, with more fields than are known [REG-08]', async () => {
  const client = createRegistryClient({
    url: 'https://other.example',
    fetch: otherRegistry([]),
  })

  const found = await client.search('WEATHER about')
  const none = await client.search('snow')

  expect(found.map(({ server }) => `${server.name}@${server.version}`)).toEqual([
    'com.example/weather@2.0.0',
  ])
  expect(none).toEqual([])
})

it('keeps what a mirror has when its source has lost everything [REG-08]', async () => {
  const source = await openRegistry({ database: ':memory:' })
  onTestFinished(() => source[Symbol.asyncDispose]())
  const empty = await openRegistry({ database: ':memory:' })
  onTestFinished(() => empty[Symbol.asyncDispose]())
  const mirror = await openRegistry({ database: ':memory:' })
  onTestFinished(() => mirror[Symbol.asyncDispose]())
  await source.publish(documentOf('com.example/weather', '1.0.0'))
  const from = { id: 'preview', url: 'https://preview.example' }

  await mirror.registry.sync({ source: from, fetch: source.registry.fetch })
  await mirror.registry.sync({ source: from, fetch: empty.registry.fetch, fullEveryMs: 0 })

  expect((await mirror.ask('servers/com.example%2Fweather/versions/latest')).status).toBe(200)
})

it.each<[string, object, RegExp]>([
  ['another server', { name: 'com.example/evil' }, /was asked for com\.example\/weather/],
  ['another version', { version: '2.0.0' }, /answers with "com\.example\/weather 2\.0\.0"/],
  ['a name in other letters', { name: 'com.example/Weather' }, /do not use it/],
])('refuses a registry that answers with %s', async (_, change, expected) => {
  const server = { ...documentOf('com.example/weather', '1.0.0'), ...change }
  const fetch = async () => Response.json({ server, _meta: {} })
  const client = createRegistryClient({ url: 'https://lying.example', fetch })

  await expect(client.find('com.example/weather', '1.0.0')).rejects.toThrow(expected)
})

it.each(['latest', '', '^1.0.0', '1.x', ' 1.0.0', '1.0.0\u200b'])(
  'refuses %j as the newest version',
  async (version) => {
    const server = documentOf('com.example/weather', version)
    const fetch = async () => Response.json({ server, _meta: {} })
    const client = createRegistryClient({ url: 'https://lying.example', fetch })

    await expect(client.find('com.example/weather')).rejects.toThrow('which is invalid')
  },
)

it('offers nothing of a document of another shape, and breaks at none', async () => {
  for (const packages of ['x', 7, null, [null], [7], [{ registryType: {} }], { length: 1e9 }]) {
    const server = { ...documentOf('com.example/weather', '1.0.0'), packages, remotes: packages }
    const fetch = async () => Response.json({ server, _meta: {} })
    const catalogue = openCatalogue({ url: 'https://lying.example', fetch })

    expect(await catalogue.read('com.example/weather')).toMatchObject({ plans: [] })
  }
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import { generateClient, type DescribedApi, type GeneratedParameters } from '../generated-client.ts'
import { adminKeys, documentOf, openRegistry, type TestRegistry } from '../registry-under-test.ts'

interface Example {
  readonly parameters?: GeneratedParameters
  readonly body?: unknown
  /** Asks without a token. */
  readonly isOpen?: boolean
}

const serverName = 'com.example/one'
const tools = [{ name: 'look', description: 'Looks' }]

/** A request to each operation that succeeds, in an order in which they all do. */
const examples: { readonly [operation: string]: Example } = {
  'POST /v0.1/publish': { body: documentOf('com.example/two', '1.0.0') },
  'POST /v0.1/validate': { body: { name: 'x' }, isOpen: true },
  'GET /v0.1/servers': { parameters: { limit: 1, search: 'one' }, isOpen: true },
  'GET /v0.1/servers/{serverName}/versions': { parameters: { serverName }, isOpen: true },
  'GET /v0.1/servers/{serverName}/versions/{version}': {
    parameters: { serverName, version: 'latest' },
    isOpen: true,
  },
  'PUT /v0.1/servers/{serverName}/versions/{version}': {
    parameters: { serverName, version: '1.0.0' },
    body: documentOf(serverName, '1.0.0', { title: 'One' }),
  },
  'PATCH /v0.1/servers/{serverName}/versions/{version}/status': {
    parameters: { serverName, version: '1.0.0' },
    body: { status: 'deprecated', statusMessage: 'old' },
  },
  'PATCH /v0.1/servers/{serverName}/status': {
    parameters: { serverName },
    body: { status: 'active' },
  },
  'GET /v0.1/health': { isOpen: true },
  'GET /v0.1/ping': { isOpen: true },
  'GET /v0.1/version': { isOpen: true },
  'POST /v0.1/auth/{method}': { parameters: { method: 'none' }, body: {}, isOpen: true },
  'GET /v0.1/x/search': { parameters: { q: 'one' }, isOpen: true },
  'GET /v0.1/x/suggest': { parameters: { q: 'on' }, isOpen: true },
  'GET /v0.1/x/changes': { isOpen: true },
  'GET /v0.1/x/config': { parameters: { name: serverName, client: 'vscode' }, isOpen: true },
  'GET /v0.1/x/index': { isOpen: true },
  'GET /v0.1/x/feed.atom': { isOpen: true },
  'POST /v0.1/x/snapshots': { body: { name: serverName, version: '1.0.0', tools } },
  'GET /v0.1/x/trust': { parameters: { name: serverName }, isOpen: true },
  'GET /v0.1/x/moderation': {},
  'POST /v0.1/x/moderation': { body: { action: 'note', name: serverName, text: 'Seen.' } },
  'GET /v0.1/x/session': {},
  'POST /v0.1/x/report': { body: { name: serverName, kind: 'spam', text: 'No.' }, isOpen: true },
  'POST /v0.1/x/rename': { body: { from: 'com.example/two', to: 'com.example/three' } },
  'DELETE /v0.1/servers/{serverName}/versions/{version}': {
    parameters: { serverName, version: '1.0.0' },
  },
}

it('is there for programs as JSON and YAML, and for people as a page', async () => {
  await using registry = await openRegistry({ database: ':memory:' })
  const read = (path: string) => registry.ask(path, { prefix: '/' })
  const json = await read('openapi.json')
  const yaml = await read('openapi.yaml')
  const page = await read('docs')

  expect(yaml.headers.get('content-type')).toBe('application/yaml')
  expect(parseYaml(String(yaml.body))).toEqual(json.body)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.body).toContain('<td>POST</td><td><code>/v0.1/publish</code></td>')
})

describe.each(kinds)('the description that a registry serves of itself on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  async function open(): Promise<{ registry: TestRegistry; description: DescribedApi }> {
    const registry = await openRegistry({
      database: await databases.create(),
      indexKey: '11'.repeat(32),
      url: 'http://registry.test',
      auth: { anonymous: true, keys: { admin: { ...adminKeys.admin, moderate: ['*'] } } },
    })
    await registry.publish(
      documentOf(serverName, '1.0.0', {
        packages: [
          {
            registryType: 'npm',
            identifier: 'one',
            version: '1.0.0',
            transport: { type: 'stdio' },
            environmentVariables: [{ name: 'KEY', isSecret: true }],
          },
        ],
      }),
    )
    const { body } = await registry.ask('openapi.json', { prefix: '/' })
    return { registry, description: body as DescribedApi } // its shape is looked at below
  }

  it('has every operation, with answers of the shape it says [REG-04]', async () => {
    const { registry, description } = await open()
    await using _ = registry
    const client = generateClient(description, 'http://registry.test', registry.registry.fetch)
    expect([...client.keys()].toSorted()).toEqual(Object.keys(examples).toSorted())
    const token = await registry.token()
    for (const [name, { parameters, body, isOpen }] of Object.entries(examples)) {
      const answer = await client.get(name)?.(parameters, {
        body,
        token: isOpen ? undefined : token,
      })
      expect([name, answer?.status]).toEqual([name, 200])
    }
  })

  it('has refusals of the shape it says, whatever is asked [REG-04]', async () => {
    const { registry, description } = await open()
    await using _ = registry
    const client = generateClient(description, 'http://registry.test', registry.registry.fetch)
    const statuses = new Set<number>()
    for (const [name, call] of client) {
      const parameters = { ...examples[name]?.parameters }
      if ('serverName' in parameters) parameters['serverName'] = 'com.example/none'
      if ('name' in parameters) parameters['name'] = 'com.example/none'
      if ('method' in parameters) parameters['method'] = 'pigeon'
      if ('limit' in parameters) parameters['limit'] = 1_000
      const body = name.startsWith('GET') || name.startsWith('DELETE') ? undefined : 'nonsense'
      const { status, type } = await call(parameters, { body, token: 'wrong' })
      if (status === 200) continue
      statuses.add(status)
      expect([name, type]).toEqual([name, 'application/problem+json'])
    }
    expect(statuses).toEqual(new Set([401, 404, 422]))
  })

  it('needs nothing but itself: every reference leads somewhere', async () => {
    const { registry, description } = await open()
    await using _ = registry
    const text = JSON.stringify(description)
    const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name = '']) => name,
    )
    const { schemas } = description.components as { readonly schemas: object } // OpenAPI has them there
    for (const name of names) expect(schemas).toHaveProperty(name)
    expect(text).not.toContain('#/$defs')
  })
})

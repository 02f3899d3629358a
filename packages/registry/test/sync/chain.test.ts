import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type RegistryOptions, serveRegistry } from '@parley/registry'
import {
  createRegistryClient,
  findIndexProblem,
  readPublisherKey,
  type SignedIndex,
  verifyMirror,
} from '@parley/registry/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import { generateClient, type DescribedApi } from '../generated-client.ts'
import { hasSpecification, readApiDescription } from '../registry-specification.ts'
import { documentOf, openRegistry, versionsIn, type TestRegistry } from '../registry-under-test.ts'
import { servePlainFiles } from '../static-files.ts'

const indexKey = '11'.repeat(32)
const { publicKey } = readPublisherKey(indexKey)

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe.each(kinds)('a chain on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  const open = async (more: Partial<RegistryOptions> = {}) =>
    openRegistry({ database: await databases.create(), ...more })

  async function fill(registry: TestRegistry, count: number): Promise<void> {
    const documents = Array.from({ length: count }, (_, at) =>
      documentOf(`com.example/server-${String(at).padStart(4, '0')}`, '1.0.0'),
    )
    await registry.registry.importDocuments(documents)
    await registry.publish(documentOf('com.example/server-0000', '2.0.0'))
  }

  async function* stations() {
    await using top = await open({ indexKey })
    await fill(top, 20)
    await using served = await serveRegistry(top.registry)
    await using middle = await open()
    await using servedMiddle = await serveRegistry(middle.registry)
    await using bottom = await open({ indexKey })
    await using servedBottom = await serveRegistry(bottom.registry)
    await middle.registry.sync({ source: { id: 'top', url: served.url.href } })
    await bottom.registry.sync({ source: { id: 'middle', url: servedMiddle.url.href } })
    const folder = temporaryFolder()
    await bottom.registry.exportStatic(folder)
    await using files = await servePlainFiles(folder)
    const urls = [served.url, servedMiddle.url, servedBottom.url].map((url) => url.origin)
    yield { top, middle, bottom, folder, urls: [...urls, files.url] }
  }

  it('two sub-registries and an export are read by our tools [REG-05, REG-06, REG-09]', async () => {
    for await (const { urls } of stations()) {
      for (const url of urls) {
        const client = createRegistryClient({ url })
        const all: string[] = []
        for await (const { server } of client.list()) all.push(`${server.name}@${server.version}`)
        expect([url, all.length, new Set(all).size]).toEqual([url, 21, 21])
        const latest = await client.find('com.example/server-0000')
        expect(latest.server.version).toBe('2.0.0')
        expect((await client.find('com.example/server-0000', '1.0.0')).server.version).toBe('1.0.0')
        expect((await client.search('server-0000')).length).toBeGreaterThan(0)
      }
    }
  })

  /** Everything that each station has, by a client that knows the description and nothing else. */
  async function readAll(urls: readonly string[], description: DescribedApi): Promise<void> {
    for (const url of urls) {
      const client = generateClient(description, url)
      const list = client.get('GET /v0.1/servers')
      const versions = client.get('GET /v0.1/servers/{serverName}/versions')
      const version = client.get('GET /v0.1/servers/{serverName}/versions/{version}')
      let rows = 0
      let cursor: string | undefined
      do {
        const page = (await list?.({ limit: 8, ...(cursor && { cursor }) }))?.value as {
          servers: readonly object[]
          metadata: { nextCursor?: string }
        } // as its schema has it
        rows += page.servers.length
        cursor = page.metadata.nextCursor
      } while (cursor)
      expect([url, rows]).toEqual([url, 21])
      const serverName = 'com.example/server-0000'
      const all = await versions?.({ serverName })
      expect(all?.value).toMatchObject({ metadata: { count: 2 } })
      const latest = await version?.({ serverName, version: 'latest' })
      expect(latest?.value).toMatchObject({ server: { version: '2.0.0' } })
    }
  }

  it('a client generated from the description of any of them reads all of them [REG-04, REG-05]', async () => {
    for await (const { urls, bottom } of stations()) {
      const { body } = await bottom.ask('openapi.json', { prefix: '/' })
      await readAll(urls, body as DescribedApi) // what it serves is shown elsewhere
    }
  })

  it.runIf(hasSpecification)(
    'a client generated from the official OpenAPI document reads all of them [REG-04]',
    async () => {
      for await (const { urls } of stations()) await readAll(urls, readApiDescription())
    },
  )

  it('an export that is served can be mirrored, and a snapshot imported, deletions included', async () => {
    await using top = await open()
    await fill(top, 5)
    await top.ask('servers/com.example%2Fserver-0001/versions/1.0.0', { method: 'DELETE' })
    const folder = temporaryFolder()
    await top.registry.exportStatic(folder)
    await using files = await servePlainFiles(folder)
    await using fromFiles = await open()
    await fromFiles.registry.sync({ source: { id: 'files', url: files.url } })
    await fromFiles.registry.sync({ source: { id: 'files', url: files.url } })
    await using fromSnapshot = await open()
    const file = join(folder, 'v0.1/x/snapshot.ndjson')
    const options = { file, source: { id: 'top', deny: ['com.example/server-0004'] } }
    const first = await fromSnapshot.registry.importSnapshot(options)
    expect(first).toMatchObject({ read: 6, changed: 5, filtered: 1, refused: [] })
    expect((await fromSnapshot.registry.importSnapshot(options)).changed).toBe(0)
    const expected = versionsIn(await top.ask('servers?limit=100'))
    expect(versionsIn(await fromFiles.ask('servers?limit=100'))).toEqual(expected)
    expect(versionsIn(await fromSnapshot.ask('servers?limit=100'))).toEqual(
      expected.filter((one) => !one.includes('0004')),
    )
    const all = await fromSnapshot.ask('servers?limit=100&include_deleted=true')
    expect(versionsIn(all)).toContain('com.example/server-0001@1.0.0*')
    // Half of a file is half of a snapshot, and no more.
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -100))
    await using cut = await open()
    const report = await cut.registry.importSnapshot({ file, source: { id: 'top' } })
    expect(report).toMatchObject({ changed: 0, refused: ['line 1 is not a list of servers'] })
  })

  it('a signed index shows what a copy has changed, added or kept', async () => {
    await using top = await open({ indexKey })
    await fill(top, 3)
    await top.ask('servers/com.example%2Fserver-0002/versions/1.0.0', { method: 'DELETE' })
    const { body: index } = await top.ask('x/index')
    expect(index).toMatchObject({ format: 'parley-registry-index-v1', count: 4 })
    expect(findIndexProblem(index, publicKey)).toBeUndefined()
    const copyOf = (registry: TestRegistry) =>
      createRegistryClient({ url: 'http://copy.test', fetch: registry.registry.fetch })
    await using good = await open()
    const source = { id: 'top', url: 'http://top.test' }
    await good.registry.sync({ source, fetch: top.registry.fetch })
    expect(await verifyMirror(copyOf(good), index, publicKey)).toMatchObject({
      compared: 3,
      changed: [],
      unknown: [],
      restored: [],
      missing: 0,
    })
    await using part = await open()
    const deny = ['com.example/server-0001']
    await part.registry.sync({ source: { ...source, deny }, fetch: top.registry.fetch })
    expect(await verifyMirror(copyOf(part), index, publicKey)).toMatchObject({ missing: 1 })
    await using bad = await open()
    const changed = documentOf('com.example/server-0001', '1.0.0', { description: 'another' })
    await bad.registry.importDocuments([
      changed,
      documentOf('com.example/server-0002', '1.0.0'),
      documentOf('com.example/added', '1.0.0'),
    ])
    expect(await verifyMirror(copyOf(bad), index, publicKey)).toMatchObject({
      changed: ['com.example/server-0001@1.0.0'],
      unknown: ['com.example/added@1.0.0'],
      restored: ['com.example/server-0002@1.0.0'],
      missing: 2,
    })
  })

  it('an index that was changed, or signed by somebody else, is not believed', async () => {
    await using top = await open({ indexKey })
    await fill(top, 2)
    const index = (await top.ask('x/index')).body as SignedIndex
    const [first, ...rest] = index.entries
    const other = readPublisherKey('22'.repeat(32)).publicKey
    const forged: readonly [unknown, string, string][] = [
      [{ ...index, entries: rest }, publicKey, 'not those that were signed'],
      [{ ...index, entries: rest, count: rest.length }, publicKey, 'not those that were signed'],
      [{ ...index, sequence: index.sequence + 1 }, publicKey, 'not signed with the key'],
      [{ ...index, at: '2020-01-01T00:00:00.000Z' }, publicKey, 'not signed with the key'],
      [index, other, 'not signed with the key'],
      [index, 'AAAA', 'not a public Ed25519 key'],
      [{ ...index, entries: [first, 7] }, publicKey, 'not an index'],
      ['nonsense', publicKey, 'not an index'],
    ]
    for (const [value, key, why] of forged) expect(findIndexProblem(value, key)).toContain(why)
    await using unsigned = await open()
    expect((await unsigned.ask('x/index')).status).toBe(501)
  })
})

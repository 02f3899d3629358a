import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openAuditLog, readAuditLog, verifyAuditLog, type AuditLog } from '@parley/foundation/audit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import { adminKeys, documentOf, openRegistry } from '../registry-under-test.ts'

const auth = { keys: { admin: { ...adminKeys.admin, moderate: ['*'] } } }

function auditPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'audit.jsonl')
}

describe.each(kinds)('operating on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  it('writes down who changed what, and what was refused', async () => {
    const path = auditPath()
    const audit = openAuditLog({ path })
    const database = await databases.create()
    await using registry = await openRegistry({ database, auth, audit })
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    await registry.ask('publish', { body: documentOf('com.example/two', '1.0.0'), token: 'wrong' })
    await registry.ask('x/moderation', {
      body: { action: 'hide', name: 'com.example/one', reason: 'malware' },
    })
    await registry.ask('servers')
    await audit[Symbol.asyncDispose]()
    const records: unknown[] = []
    for await (const { record } of readAuditLog(path)) records.push(record)
    expect(records).toMatchObject([
      { operation: 'POST auth/{method}', method: 'key', status: 200 },
      {
        operation: 'POST publish',
        name: 'com.example/one',
        version: '1.0.0',
        by: 'key:admin',
        status: 200,
      },
      { operation: 'POST publish', name: 'com.example/one', by: 'key:admin', status: 400 },
      { operation: 'POST publish', status: 401 },
      {
        event: 'registry.moderation',
        by: 'key:admin',
        action: 'set deny',
        name: 'com.example/one',
        reason: 'malware',
      },
      { operation: 'POST x/moderation', status: 200 },
    ])
    expect((await verifyAuditLog(path)).problems).toEqual([])
  })

  it('decides nothing that cannot be written down', async () => {
    const full: AuditLog = {
      append: async () => ({ written: false, reason: 'full', message: 'full' }),
      flush: async () => undefined,
      lost: 1,
      [Symbol.asyncDispose]: async () => undefined,
    }
    const database = await databases.create()
    await using registry = await openRegistry({ database, auth, audit: full })
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    const body = { action: 'hide', name: 'com.example/one', reason: 'malware' }
    expect((await registry.ask('x/moderation', { body })).status).toBe(503)
    expect((await registry.ask('servers/com.example%2Fone/versions/latest')).status).toBe(200)
  })

  it('counts answers for Prometheus where it is asked to', async () => {
    await using registry = await openRegistry({ database: await databases.create(), metrics: true })
    await registry.ask('servers')
    await registry.ask('servers?limit=0')
    await registry.ask('servers/com.example%2Fnone/versions')
    const answer = await registry.ask('metrics', { prefix: '/' })
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(String(answer.body).split('\n')).toEqual(
      expect.arrayContaining([
        'parley_registry_requests_total{operation="GET servers",status="200"} 1',
        'parley_registry_requests_total{operation="GET servers",status="422"} 1',
        'parley_registry_requests_total{operation="GET servers/{serverName}/versions",status="404"} 1',
      ]),
    )
    await using silent = await openRegistry({ database: await databases.create() })
    expect((await silent.ask('metrics', { prefix: '/' })).status).toBe(404)
  })

  it('tells changes as a feed, whatever stands in a text', async () => {
    const url = 'https://registry.example.com'
    await using registry = await openRegistry({ database: await databases.create(), url })
    const description = '</summary><script>alert(1)</script> & \u0001 "x"'
    await registry.publish(documentOf('com.example/one', '1.0.0', { description }))
    await registry.publish(documentOf('org.other/two', '1.0.0'))
    const patch = { method: 'PATCH', body: { status: 'deprecated', statusMessage: 'old' } }
    await registry.ask('servers/com.example%2Fone/versions/1.0.0/status', patch)
    const atom = await registry.ask('x/feed.atom?publisher=com.example')
    const xml = String(atom.body)
    expect(atom.headers.get('content-type')).toBe('application/atom+xml')
    expect(xml).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp;  &quot;x&quot;')
    expect(xml).not.toContain('<script')
    expect(xml).not.toContain('org.other')
    expect(xml).toContain(`${url}/v0.1/servers/com.example%2Fone/versions/1.0.0`)
    const all = String((await registry.ask('x/feed.atom')).body)
    expect(all).toContain('<title>com.example/one 1.0.0: deprecated (old)</title>')
    expect(all).toContain('<title>org.other/two 1.0.0</title>')
    const again = await registry.ask('x/feed.atom?publisher=com.example', {
      headers: { 'if-none-match': atom.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('gives a server another name, and its remote URL goes with it', async () => {
    await using registry = await openRegistry({ database: await databases.create() })
    const remotes = [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp' }]
    await registry.publish(documentOf('com.old/one', '1.0.0', { remotes }))
    await registry.publish(documentOf('com.old/one', '1.1.0', { remotes }))
    const rename = (from: string, to: string) => registry.ask('x/rename', { body: { from, to } })
    expect(await rename('com.old/one', 'com.new/one')).toMatchObject({
      status: 200,
      body: { server: { name: 'com.new/one', version: '1.1.0', remotes } },
    })
    expect((await registry.ask('servers/com.old%2Fone/versions/latest')).status).toBe(404)
    const gone = await registry.ask('servers/com.old%2Fone/versions?include_deleted=true')
    expect(JSON.stringify(gone.body)).toContain('moved to com.new/one')
    const thief = await registry.publish(documentOf('com.thief/one', '1.0.0', { remotes }))
    expect(thief.status).toBe(400)
    expect((await rename('com.old/one', 'com.newer/one')).status).toBe(404)
    // A name that has the version already is not renamed to, and nothing of the rename counts.
    await registry.publish(documentOf('com.taken/one', '1.1.0'))
    expect((await rename('com.new/one', 'com.taken/one')).status).toBe(400)
    expect((await registry.ask('servers/com.new%2Fone/versions/latest')).status).toBe(200)
  })

  it('keeps which tools a version has, and shows what has changed', async () => {
    await using registry = await openRegistry({ database: await databases.create() })
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    await registry.publish(documentOf('com.example/one', '1.1.0'))
    const schema = { type: 'object' }
    const told = (version: string, tools: readonly object[]) =>
      registry.ask('x/snapshots', { body: { name: 'com.example/one', version, tools } })
    const first = await told('1.0.0', [
      { name: 'read', description: 'Reads', inputSchema: schema, secret: 'not kept' },
      { name: 'old', inputSchema: schema },
    ])
    expect(first).toMatchObject({
      status: 200,
      body: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
    })
    await told('1.1.0', [
      { name: 'write', inputSchema: schema },
      { name: 'read', description: 'Reads, and sends it elsewhere', inputSchema: schema },
    ])
    const { body } = await registry.ask('x/trust?name=com.example/one')
    expect(body).toMatchObject({
      version: '1.1.0',
      since: '1.0.0',
      snapshot: { author: 'key:admin', tools: [{ name: 'read' }, { name: 'write' }] },
      difference: {
        added: ['write'],
        removed: ['old'],
        changed: [{ name: 'read', fields: ['description'] }],
      },
    })
    const before = await registry.ask('x/trust?name=com.example/one&version=1.0.0')
    expect(JSON.stringify(before.body)).not.toContain('not kept')
    // The same version with other tools is said at once.
    const other = await told('1.0.0', [{ name: 'read', inputSchema: schema }])
    expect(other.body).toMatchObject({ difference: { removed: ['old'] } })
    expect((await told('1.0.0', [{ name: 'a' }, { name: 'a' }])).status).toBe(422)
    expect((await told('9.9.9', [])).status).toBe(404)
    const stranger = { body: { name: 'com.example/one', tools: [] }, token: 'wrong' }
    expect((await registry.ask('x/snapshots', stranger)).status).toBe(401)
  })
})

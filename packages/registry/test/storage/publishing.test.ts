import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { everyKind, openDatabases, type Databases } from '../databases.ts'
import { detailOf, documentOf, openRegistry, versionsIn } from '../registry-under-test.ts'

describe.each(everyKind)('publishing on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  it('keeps what was published, also for a registry that is opened later [REG-01, REG-02]', async () => {
    const database = await databases.create()
    {
      await using first = await openRegistry({ database })
      expect(await first.publish(documentOf('com.example/one', '1.0.0'))).toMatchObject({
        status: 200,
        body: {
          server: { name: 'com.example/one', version: '1.0.0' },
          _meta: {
            'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true },
          },
        },
      })
    }
    await using second = await openRegistry({ database })
    expect(versionsIn(await second.ask('servers'))).toEqual(['com.example/one@1.0.0*'])
  })

  it('flags the highest version as the latest, whatever the order of publication', async () => {
    await using registry = await openRegistry({ database: await databases.create() })
    const latest = async () => {
      const { body } = await registry.ask('servers/com.example%2Fone/versions/latest')
      return (body as { server: { version: string } }).server.version
    }
    const order = [
      ['first', 'first'],
      ['second', 'second'],
      ['1.2.3', '1.2.3'],
      ['third', '1.2.3'],
      ['1.2.3-1', '1.2.3'],
      ['v1.10.0', 'v1.10.0'],
      ['1.9.9', 'v1.10.0'],
      ['2025.06.18', 'v1.10.0'],
    ] as const
    for (const [version, expected] of order) {
      expect((await registry.publish(documentOf('com.example/one', version))).status).toBe(200)
      expect(await latest()).toBe(expected)
    }
    const all = versionsIn(await registry.ask('servers/com.example%2Fone/versions'))
    expect(all.filter((one) => one.endsWith('*'))).toEqual(['com.example/one@v1.10.0*'])
  })

  it('publishes a version once, also when it was deleted', async () => {
    await using registry = await openRegistry({ database: await databases.create() })
    const document = documentOf('com.example/one', '1.0.0')
    await registry.publish(document)
    const again = await registry.publish(document)
    expect(again.status).toBe(400)
    expect(detailOf(again)).toContain('cannot publish duplicate version')
    await registry.ask('servers/com.example%2Fone/versions/1.0.0', { method: 'DELETE' })
    expect((await registry.publish(document)).status).toBe(400)
  })

  it('lets one of two publishers of a version win, and keeps one latest [REG-02]', async () => {
    const database = await databases.create()
    await using one = await openRegistry({ database })
    await using other = await openRegistry({ database })
    for (let round = 1; round <= 5; round += 1) {
      const document = documentOf('com.example/raced', `1.0.${round}`)
      const answers = await Promise.all(
        [one, other, one, other].map((registry) => registry.publish(document)),
      )
      const statuses = answers.map(({ status }) => String(status)).toSorted()
      expect(statuses).toEqual(['200', '400', '400', '400'])
    }
    const all = versionsIn(await one.ask('servers'))
    expect(all).toHaveLength(5)
    expect(all.filter((each) => each.endsWith('*'))).toEqual(['com.example/raced@1.0.5*'])
  })

  it('gives a remote URL to one name, until that is deleted', async () => {
    const database = await databases.create()
    await using registry = await openRegistry({ database })
    await using elsewhere = await openRegistry({ database })
    const remotes = [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp' }]
    const answers = await Promise.all([
      registry.publish(documentOf('com.example/one', '1.0.0', { remotes })),
      elsewhere.publish(documentOf('com.example/two', '1.0.0', { remotes })),
    ])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
    const [winner, loser] = answers[0]?.status === 200 ? ['one', 'two'] : ['two', 'one']
    const refused = answers.find(({ status }) => status === 400)
    expect(refused && detailOf(refused)).toContain(
      `https://mcp.example.com/mcp is already used by server com.example/${winner}`,
    )
    // The same name may use it again.
    const next = documentOf(`com.example/${winner}`, '1.1.0', { remotes })
    expect((await registry.publish(next)).status).toBe(200)
    const body = { status: 'deleted' }
    const path = `servers/com.example%2F${winner}/status`
    await registry.ask(path, { method: 'PATCH', body })
    const moved = documentOf(`com.example/${loser}`, '1.0.0', { remotes })
    expect((await registry.publish(moved)).status).toBe(200)
    // And it does not come back while somebody else has it.
    const restored = await registry.ask(path, { method: 'PATCH', body: { status: 'active' } })
    expect(restored.status).toBe(400)
    expect(detailOf(restored)).toContain('is already used by server')
  })

  it.each([
    ['https://MCP.Example.com/mcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com:443/mcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/%6dcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/a/../mcp#x', 'https://mcp.example.com./mcp'],
    ['https://{tenant}.example.com/mcp', 'https://{customer}.example.com/mcp'],
  ])('takes %s and %s for one remote', async (url, other) => {
    await using registry = await openRegistry({ database: await databases.create() })
    const publish = (name: string, at: string) => {
      const [variable] = /(?<={)\w+/.exec(at) ?? []
      const variables = variable === undefined ? {} : { variables: { [variable]: {} } }
      const remotes = [{ type: 'sse', url: at, ...variables }]
      return registry.publish(documentOf(name, '1.0.0', { remotes }))
    }

    expect((await publish('com.example/one', url)).status).toBe(200)
    expect(detailOf(await publish('com.example/two', other))).toContain('is already used by')
    expect((await publish('com.example/two', `${other}2`)).status).toBe(200)
  })

  it('tells those who ask for changes of a version that is no longer the latest', async () => {
    let now = Date.parse('2026-05-01T12:00:00Z')
    const database = await databases.create()
    await using registry = await openRegistry({ database, now: () => now })
    const changed = async () =>
      versionsIn(await registry.ask(`servers?updated_since=${new Date(now - 1).toISOString()}`))
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    now += 60_000
    await registry.publish(documentOf('com.example/one', '1.1.0'))

    expect(await changed()).toEqual(['com.example/one@1.0.0', 'com.example/one@1.1.0*'])

    now += 60_000
    const path = 'servers/com.example%2Fone/versions/1.1.0/status'
    await registry.ask(path, { method: 'PATCH', body: { status: 'deleted' } })

    expect(await changed()).toContain('com.example/one@1.0.0*')
  })

  if (kind === 'postgres') {
    it('says that the disk is full, where it is', async () => {
      const database = await databases.create()
      await using registry = await openRegistry({ database })
      const { default: pg } = await import('pg')
      const client = new pg.Client({ connectionString: database })
      await client.connect()
      await client.query(`create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on server_versions execute function full_disk()`)
      await client.end()

      const refused = await registry.publish(documentOf('com.example/one', '1.0.0'))

      expect([refused.status, detailOf(refused)]).toEqual([
        507,
        'The disk of the database is full: its operator must make room.',
      ])
    })
  }

  it('never goes back in time when the clock does', async () => {
    let now = Date.parse('2026-05-01T12:00:00Z')
    const registry = await openRegistry({ database: await databases.create(), now: () => now })
    await using _ = registry
    const at = async (version: string) => {
      const { body } = await registry.publish(documentOf('com.example/one', version))
      const { _meta: meta } = body as { _meta: { [key: string]: { updatedAt: string } } }
      return meta['io.modelcontextprotocol.registry/official']?.updatedAt
    }
    expect(await at('1.0.0')).toBe('2026-05-01T12:00:00.000Z')
    now -= 10_000
    expect(await at('1.1.0')).toBe('2026-05-01T12:00:00.000Z')
    now += 11_000
    expect(await at('1.2.0')).toBe('2026-05-01T12:00:01.000Z')
  })

  it('flags a name that looks like another one', async () => {
    await using registry = await openRegistry({ database: await databases.create() })
    await registry.publish(documentOf('io.github.microsoft/maps', '1.0.0'))
    const { body } = await registry.publish(documentOf('io.github.rnicr0s0ft/maps', '1.0.0'))
    expect(body).toMatchObject({
      _meta: { 'dev.parley.registry/flags': ['looks like io.github.microsoft/maps'] },
    })
    // Another version makes it no better.
    const next = await registry.publish(documentOf('io.github.rnicr0s0ft/maps', '1.0.1'))
    expect(JSON.stringify(next.body)).toContain('looks like io.github.microsoft/maps')
    const typo = await registry.publish(documentOf('io.github.microsfot/maps', '1.0.0'))
    expect(JSON.stringify(typo.body)).toContain('looks like io.github.microsoft/maps')
    await registry.publish(documentOf('io.github.ada/maps', '1.0.0'))
    const longer = await registry.publish(documentOf('io.github.aada/maps', '1.0.0'))
    expect(JSON.stringify(longer.body)).toContain('looks like io.github.ada/maps')
    const plain = await registry.publish(documentOf('io.github.microsoft/mops', '1.0.0'))
    expect(JSON.stringify(plain.body)).not.toContain('dev.parley.registry/flags')
  })
})

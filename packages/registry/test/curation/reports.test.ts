import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import { adminKeys, documentOf, openRegistry } from '../registry-under-test.ts'

const auth = { keys: { admin: { ...adminKeys.admin, moderate: ['com.example/*'] } } }
const name = 'com.example/one'

describe.each(kinds)('reports on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  async function open() {
    const registry = await openRegistry({ database: await databases.create(), auth })
    await registry.publish(documentOf(name, '1.0.0'))
    await registry.publish(documentOf('com.other/one', '1.0.0'))
    const report = (body: object, token: string | false = false) =>
      registry.ask('x/report', { body, token })
    const token = await registry.token()
    const seen = async () => {
      const { body } = await registry.ask('x/moderation', { token })
      return (body as { reports: readonly object[] }).reports // as its schema has it
    }
    return { registry, report, token, seen }
  }

  it('are for everybody to make, and for moderators to read and dismiss [REG-07]', async () => {
    const { registry, report, token, seen } = await open()
    await using _ = registry

    expect((await report({ name, kind: 'impersonation', text: 'Not theirs.' })).status).toBe(200)
    expect((await report({ name, version: '1.0.0', kind: 'spam' }, token)).status).toBe(200)
    expect(await seen()).toMatchObject([
      { name, version: '1.0.0', kind: 'spam', text: '', author: 'key:admin' },
      { name, kind: 'impersonation', text: 'Not theirs.', author: 'anonymous' },
    ])
    expect((await registry.ask('x/moderation')).status).toBe(401)

    const dismiss = (of: string) =>
      registry.ask('x/moderation', {
        body: { action: 'dismiss', name: of, reason: 'it is theirs' },
      })
    expect((await dismiss('com.other/one')).status).toBe(403)
    expect((await dismiss(name)).body).toEqual({ dismissed: 2 })
    expect(await seen()).toEqual([])
  })

  it('are refused where they say nothing, or there are too many', async () => {
    const { registry, report, seen } = await open()
    await using _ = registry

    expect((await report({ name, kind: 'boring' })).status).toBe(422)
    expect((await report({ name, kind: 'spam', text: 'x'.repeat(1_001) })).status).toBe(422)
    expect((await report({ name: 'com.example/none', kind: 'spam' })).status).toBe(404)
    for (let at = 0; at < 50; at += 1) await report({ name, kind: 'spam' })
    expect((await report({ name, kind: 'spam' })).status).toBe(503)
    expect((await report({ name: 'com.other/one', kind: 'spam' })).status).toBe(200)
    expect(await seen()).toHaveLength(51)
  })
})

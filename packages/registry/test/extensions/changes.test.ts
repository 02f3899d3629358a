import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kinds, openDatabases, type Databases } from '../databases.ts'
import { documentOf, openRegistry, type TestRegistry } from '../registry-under-test.ts'

interface Changes {
  readonly changes: readonly {
    readonly server: { readonly name: string; readonly version: string }
    readonly _meta: {
      readonly [key: string]: { readonly status: string; readonly isLatest: boolean }
    }
  }[]
  readonly metadata: { readonly nextCursor: string }
}

/** What has changed, and where to go on. */
async function changesOf(registry: TestRegistry, query: string) {
  const { body } = await registry.ask(`x/changes?${query}`)
  const { changes, metadata } = body as Changes
  return { cursor: metadata.nextCursor, told: changes.map(show) }
}

function show({ server, _meta: meta }: Changes['changes'][number]): string {
  const { status, isLatest } = meta['io.modelcontextprotocol.registry/official'] ?? {}
  return `${server.name}@${server.version} ${status}${isLatest ? '*' : ''}`
}

describe.each(kinds)('changes on %s', (kind) => {
  let databases: Databases
  beforeAll(async () => void (databases = await openDatabases(kind)))
  afterAll(() => databases[Symbol.asyncDispose]())

  it('are told once each, in their order, from a cursor on', async () => {
    await using registry = await openRegistry({ database: await databases.create() })
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    const first = await changesOf(registry, '')
    expect(first.told).toEqual(['com.example/one@1.0.0 active*'])
    await registry.publish(documentOf('com.example/two', '1.0.0'))
    await registry.publish(documentOf('com.example/one', '2.0.0'))
    await registry.ask('servers/com.example%2Ftwo/versions/1.0.0', { method: 'DELETE' })
    const second = await changesOf(registry, `cursor=${first.cursor}`)
    expect(second.told).toEqual([
      'com.example/one@1.0.0 active',
      'com.example/one@2.0.0 active*',
      'com.example/two@1.0.0 deleted*',
    ])
    expect(await changesOf(registry, `cursor=${second.cursor}`)).toEqual({ ...second, told: [] })
    const paged = await changesOf(registry, `cursor=${first.cursor}&limit=1`)
    expect(paged.told).toEqual(['com.example/one@1.0.0 active'])
    expect((await registry.ask('x/changes?cursor=1%20or%201')).status).toBe(400)
  })

  it('wake those who wait, also when another process has made them', async () => {
    const database = await databases.create()
    await using registry = await openRegistry({ database })
    await using other = await openRegistry({ database })
    const waiting = changesOf(registry, 'wait=50')
    await other.publish(documentOf('com.example/one', '1.0.0'))
    expect((await waiting).told).toEqual(['com.example/one@1.0.0 active*'])
  })

  it('come as events, and go on after the last one that was seen', async () => {
    await using registry = await openRegistry({ database: await databases.create() })
    await registry.publish(documentOf('com.example/one', '1.0.0'))
    const open = async (headers: { [name: string]: string } = {}) => {
      const request = new Request('http://registry.test/v0.1/x/changes', {
        headers: { accept: 'text/event-stream', ...headers },
      })
      const response = await registry.registry.fetch(request)
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      return {
        next: async () => (await reader?.read())?.value ?? '',
        close: () => reader?.cancel(),
      }
    }
    const stream = await open()
    const first = await stream.next()
    expect(first).toMatch(/^id: \d+\nevent: change\ndata: \{"server":.*\}\n\n$/)
    const waiting = stream.next()
    await registry.publish(documentOf('com.example/two', '1.0.0'))
    expect(await waiting).toContain('com.example/two')
    await stream.close()
    const id = /^id: (\d+)/.exec(first)?.[1] ?? ''
    const again = await open({ 'last-event-id': id })
    const told = await again.next()
    expect(told).toContain('com.example/two')
    expect(told).not.toContain('com.example/one')
    await again.close()
  })
})

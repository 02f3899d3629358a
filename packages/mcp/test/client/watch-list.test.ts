import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const capabilities = { tools: { listChanged: true } }
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

describeMatrix('watching a list', ({ connect, rawServer }) => {
  test('gives it now, and once more for changes in short order', async () => {
    const clock = createVirtualClock()
    const server = rawServer({ clock })
    const client = await server.accept({ capabilities })
    const lists = client.watch('tools')[Symbol.asyncIterator]()

    const now = lists.next()
    await server.answer('tools/list', { tools: [tool('a')] })
    expect((await now).value).toEqual([tool('a')])

    const later = lists.next()
    changed(server)
    await clock.advance(60)
    changed(server)
    await clock.advance(39)
    expect(fetches(server)).toBe(1)
    await clock.advance(1)
    await server.answer('tools/list', { tools: [tool('a'), tool('b')] })
    expect((await later).value).toEqual([tool('a'), tool('b')])

    const after = lists.next()
    await clock.advance(10_000)
    expect(fetches(server)).toBe(2) // the change in between has had its turn
    await client.close()
    expect((await after).done).toBe(true)
  })

  test('misses no change that comes while the list is fetched', async () => {
    const clock = createVirtualClock()
    const server = rawServer({ clock })
    const client = await server.accept({ capabilities })
    const lists = client.watch('tools', { debounceMs: 5 })[Symbol.asyncIterator]()

    const first = lists.next()
    const request = await server.expect('tools/list')
    changed(server)
    server.send({ jsonrpc: '2.0', id: request.id, result: { tools: [] } })
    await first
    const second = lists.next()
    await clock.advance(5)
    await server.answer('tools/list', { tools: [tool('late')] })

    expect((await second).value).toEqual([tool('late')])
    await client.close()
  })

  test('ends with its signal, also while it waits for quiet', async () => {
    const clock = createVirtualClock()
    const server = rawServer({ clock })
    const client = await server.accept({ capabilities })
    const controller = new AbortController()
    const lists = client.watch('tools', { signal: controller.signal })[Symbol.asyncIterator]()
    const first = lists.next()
    await server.answer('tools/list', { tools: [] })
    await first

    const second = lists.next()
    changed(server)
    await clock.advance(50)
    controller.abort()

    expect((await second).done).toBe(true)
    expect(fetches(server)).toBe(1)
    await client.close()
  })

  test('works for every kind of list', async () => {
    const server = createServer({ name: 'many', version: '1.0.0' })
    server.tool('tool', {}, () => '')
    server.prompt('prompt', {}, () => 'hello')
    server.resource('notes://1', { name: 'note' }, () => '')
    server.resource('notes://{id}', { name: 'notes' }, () => '')
    await using client = await connect(server)

    const names: string[] = []
    for (const kind of ['tools', 'prompts', 'resources', 'resourceTemplates'] as const) {
      for await (const items of client.watch(kind)) {
        names.push(...items.map(({ name }) => name))
        break
      }
    }

    expect(names).toEqual(['tool', 'prompt', 'note', 'notes'])
  })
})

function changed(server: RawServer): void {
  server.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
}

/** How often the list has been asked for. */
function fetches(server: RawServer): number {
  return server.received.filter(({ method }) => method === 'tools/list').length
}

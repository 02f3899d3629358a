import { createServer } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { createList } from '../../src/client/list.ts'
import { describeMatrix } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

describeMatrix('a list', ({ connect, rawServer }) => {
  test('is read over all its pages, whatever their size [PAGE-02, PAGE-04, PAGE-08]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const listing = client.listTools().toArray()
    const sent = await answerPages(server, 'tools/list', [
      { tools: [tool('a'), tool('b'), tool('c')], nextCursor: 'page two' },
      { tools: [], nextCursor: '{"page":3}' }, // empty, and not the last
      { tools: [tool('d')] },
    ])

    expect((await listing).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
    expect(sent).toEqual([{}, { cursor: 'page two' }, { cursor: '{"page":3}' }])
    await client.close()
  })

  test('takes a cursor for what it is, even an empty one [PAGE-07, PAGE-09]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const listing = client.listTools().toArray()
    const sent = await answerPages(server, 'tools/list', [
      { tools: [tool('a')], nextCursor: '' },
      { tools: [tool('b')], nextCursor: '  \u0000 日本 ' },
      { tools: [tool('c')] },
    ])

    expect(await listing).toHaveLength(3)
    expect(sent).toEqual([{}, { cursor: '' }, { cursor: '  \u0000 日本 ' }])
    await client.close()
  })

  test('starts anew in each session: a cursor is not kept [PAGE-09]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const first = client.listTools().page()
    await answerPages(server, 'tools/list', [{ tools: [tool('a')], nextCursor: 'next' }])
    const again = client.listTools().toArray()
    const sent = await answerPages(server, 'tools/list', [{ tools: [tool('a')] }])

    expect(await first).toEqual({ items: [tool('a')], nextCursor: 'next' })
    expect(await again).toHaveLength(1)
    expect(sent).toEqual([{}])
    await client.close()
  })

  test.each([[['same', 'same']], [['one', 'two', 'one']]])(
    'fails where the cursors %j begin to repeat',
    async (cursors) => {
      const server = rawServer()
      const client = await server.accept()

      const listing = client.listTools().toArray()
      const pages = cursors.map((nextCursor, index) => ({ tools: [tool(`${index}`)], nextCursor }))
      const failing = expect(listing).rejects.toMatchObject({
        code: 'invalid_message',
        message: `a list does not end: the server gave the cursor "${cursors[0]}" twice`,
      })
      await answerPages(server, 'tools/list', pages)

      await failing
      expect(await server.quiet()).not.toContainEqual(
        expect.objectContaining({ method: 'tools/list' }),
      )
      await client.close()
    },
  )

  test('fetches no page that nobody reads', async () => {
    const server = rawServer()
    const client = await server.accept()

    const names: string[] = []
    const reading = (async () => {
      for await (const { name } of client.listTools()) {
        names.push(name)
        if (name === 'b') break
      }
    })()
    await answerPages(server, 'tools/list', [{ tools: [tool('a'), tool('b')], nextCursor: 'x' }])
    await reading

    expect(names).toEqual(['a', 'b'])
    expect(await server.quiet()).not.toContainEqual(
      expect.objectContaining({ method: 'tools/list' }),
    )
    await client.close()
  })

  test('of every kind has the same pages [PROMPT-14, PAGE-04, PAGE-08]', async () => {
    const server = createServer({ name: 'many', version: '1.0.0', pageSize: 2 })
    for (const index of [1, 2, 3, 4, 5]) {
      server.tool(`tool-${index}`, {}, () => '')
      server.prompt(`prompt-${index}`, {}, () => 'hello')
      server.resource(`notes://${index}`, { name: `note-${index}` }, () => '')
      server.resource(`notes-${index}://{id}`, { name: `notes-${index}` }, () => '')
    }
    let requests = 0
    await using client = await connect(server, {
      onMessage: ({ direction, message }) => {
        if (direction === 'out' && JSON.stringify(message).includes('/list"')) requests += 1
      },
    })

    const lists = await Promise.all([
      client.listTools().toArray(),
      client.listPrompts().toArray(),
      client.listResources().toArray(),
      client.listResourceTemplates().toArray(),
    ])

    for (const list of lists) expect(new Set(list.map(({ name }) => name)).size).toBe(5)
    expect(requests).toBe(12)
  })

  test('that is no list rejects with what is wrong [SCH-13]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools: [{ name: 'a' }] })

    await expect(listing).rejects.toMatchObject({
      code: 'invalid_message',
      message: expect.stringContaining('inputSchema'),
    })
    await client.close()
  })
})

describe('a list without end', () => {
  const limits = { listPages: 10, listItems: 20, listBytes: 1_000 }

  test.each<[keyof typeof limits, number, unknown[]]>([
    ['listPages', 11, []],
    ['listItems', 3, Array.from({ length: 8 }, () => 0)],
    ['listBytes', 4, ['x'.repeat(400)]],
  ])('is cut off by its %s with an error, after %i pages', async (limit, fetched, items) => {
    let pages = 0
    const list = createList(async () => ({ items, nextCursor: `${(pages += 1)}` }), { limits })

    await expect(list.toArray()).rejects.toMatchObject({
      code: 'limit_exceeded',
      details: { limit, allowed: limits[limit] },
      hint: expect.stringContaining(`limits.${limit}`),
    })
    expect(pages).toBe(fetched)
  })

  test('is told by a cursor that comes twice', async () => {
    const cursors = ['a', 'b', 'a']
    const list = createList(async () => ({ items: [1], nextCursor: cursors.shift() ?? 'c' }))

    await expect(list.toArray()).rejects.toMatchObject({
      code: 'invalid_message',
      message: 'a list does not end: the server gave the cursor "a" twice',
    })
    expect(cursors).toEqual([])
  })

  test('is bounded by the limits of the client that reads it', async () => {
    const client = await createTestClient(createServerOf(30), { limits: { listItems: 25 } })

    await expect(client.listTools().toArray()).rejects.toMatchObject({
      details: { limit: 'listItems', allowed: 25 },
    })
    expect((await client.listTools().page()).items).toHaveLength(10)
    await client.close()
  })
})

/** Ten tools on each page. */
function createServerOf(count: number) {
  const server = createServer({ name: 'long', version: '1.0.0', pageSize: 10 })
  for (let index = 0; index < count; index += 1) server.tool(`tool-${index}`, {}, () => 'x')
  return server
}

/** Answers one request per page; gives the params of each. */
async function answerPages(
  server: RawServer,
  method: string,
  pages: readonly object[],
): Promise<unknown[]> {
  const sent: unknown[] = []
  for (const page of pages) sent.push((await server.answer(method, page)).params)
  return sent
}

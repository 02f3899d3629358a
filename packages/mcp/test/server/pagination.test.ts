import type { Client, PagedList } from '@parley/mcp/client'
import {
  createServer,
  definePrompt,
  defineResource,
  defineTool,
  type Feature,
  type Registration,
  type Server,
  type ServerOptions,
} from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { describeServer } from '../support/matrix.ts'

interface Kind {
  readonly method: string
  readonly member: string
  define(index: number): Feature
  list(client: Client): PagedList<object>
}

const kinds: readonly Kind[] = [
  {
    method: 'tools/list',
    member: 'tools',
    define: (index) => defineTool(`tool_${index}`, {}, () => 'a'),
    list: (client) => client.listTools(),
  },
  {
    method: 'prompts/list',
    member: 'prompts',
    define: (index) => definePrompt(`prompt_${index}`, {}, () => 'a'),
    list: (client) => client.listPrompts(),
  },
  {
    method: 'resources/list',
    member: 'resources',
    define: (index) => defineResource(`a://${index}`, {}, () => 'a'),
    list: (client) => client.listResources(),
  },
  {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    define: (index) => defineResource(`a://${index}/{b}`, {}, () => 'a'),
    list: (client) => client.listResourceTemplates(),
  },
]

function serverOf(kind: Kind, count: number, options: Partial<ServerOptions> = {}): Server {
  const server = createServer({
    name: 'pages',
    version: '1',
    pageSize: 3,
    ...options,
    app: undefined,
  })
  for (let index = 0; index < count; index += 1) server.add(kind.define(index))
  return server
}

describeServer('a list', ({ connect, rawClient }) => {
  test.each(kinds)(
    'comes in pages from $method, and all of them are the whole [PAGE-01, PAGE-03, PAGE-04, TOOL-06, RES-02, RES-05, PROMPT-02, PROMPT-14]',
    async (kind) => {
      const client = await rawClient(serverOf(kind, 7))

      const pages = [await client.request(kind.method)]
      for (
        let cursor = pages.at(-1)?.result?.['nextCursor'];
        cursor !== undefined;
        cursor = pages.at(-1)?.result?.['nextCursor']
      ) {
        expect(typeof cursor).toBe('string')
        pages.push(await client.request(kind.method, { cursor }))
      }
      const items = pages.map(({ result }) => result?.[kind.member] as readonly object[])

      expect(items.map((page) => page.length)).toEqual([3, 3, 1])
      expect(pages.at(-1)?.result).not.toHaveProperty('nextCursor')
      await using whole = await connect(serverOf(kind, 7, { pageSize: 1_000 }))
      expect(items.flat()).toEqual(await kind.list(whole).toArray())
      await client.close()
    },
  )

  test.each(kinds)('of $method gives the same page for the same cursor [PAGE-05]', async (kind) => {
    const client = await rawClient(serverOf(kind, 7))
    const { result } = await client.request(kind.method)
    const cursor = result?.['nextCursor']

    const [once, again] = [
      await client.request(kind.method, { cursor }),
      await client.request(kind.method, { cursor }),
    ]

    expect(again.result).toEqual(once.result)
    await client.close()
  })

  test.each(kinds)(
    'of $method refuses cursors it did not give out, and goes on [PAGE-06, PAGE-10]',
    async (kind) => {
      const client = await rawClient(serverOf(kind, 7))

      for (const cursor of ['', 'x', 'bm8', '{}', 'WzEsImEiXQ==x', 7, null]) {
        const { error } = await client.request(kind.method, { cursor })
        expect(error?.code, String(cursor)).toBe(-32602)
      }
      expect((await client.request(kind.method)).result).toHaveProperty(kind.member)
      await client.close()
    },
  )
})

async function namesOf(list: PagedList<object>): Promise<string[]> {
  return (await list.toArray()).map((tool) => (tool as { name: string }).name)
}

describe('a list', () => {
  test('is the same whether prepared or made for the caller', async () => {
    for (const kind of kinds) {
      const prepared = serverOf(kind, 7)
      const dynamic = serverOf(kind, 7).use((_, next) => next())
      await using one = await createTestClient(prepared)
      await using other = await createTestClient(dynamic)

      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page = await kind.list(one).page(cursor)
        expect(await kind.list(other).page(cursor)).toEqual(page)
        cursor = page.nextCursor
      }
    }
  })

  test.each(['prepared', 'dynamic'])('is cut at 1 MiB when %s', async (how) => {
    const server = createServer({ name: 'large', version: '1' })
    if (how === 'dynamic') server.use((_, next) => next())
    const description = 'x'.repeat(300_000)
    for (let index = 0; index < 7; index += 1) {
      server.tool(`tool_${index}`, { description }, () => 'a')
    }
    server.tool('huge', { description: 'x'.repeat(2_000_000) }, () => 'a')
    server.tool('last', {}, () => 'a')
    await using client = await createTestClient(server)

    const sizes: number[] = []
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await client.listTools().page(cursor)
      sizes.push(page.items.length)
      cursor = page.nextCursor
    }

    expect(sizes).toEqual([3, 3, 1, 1, 1])
  })

  test('shows once all that was there throughout, whatever came and went', async () => {
    const change = fc.oneof(
      fc.record({ type: fc.constant('add' as const) }),
      fc.record({ type: fc.constant('remove' as const), index: fc.nat() }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 4 }),
        fc.boolean(),
        async (rounds, isDynamic) => {
          const server = createServer({ name: 'moving', version: '1', pageSize: 3 })
          if (isDynamic) server.use((_, next) => next())
          const present = new Map<string, Registration<object>>()
          let added = 0
          const add = (): void => {
            const name = `tool_${(added += 1)}`
            present.set(
              name,
              server.tool(name, {}, () => 'a'),
            )
          }
          for (let count = 0; count < 8; count += 1) add()
          const throughout = new Set(present.keys())
          await using client = await createTestClient(server)

          const seen: string[] = []
          let cursor: string | undefined
          for (let round = 0; ; round += 1) {
            const page = await client.listTools().page(cursor)
            seen.push(...page.items.map(({ name }) => name))
            cursor = page.nextCursor
            if (cursor === undefined) break
            for (const one of rounds[round] ?? []) {
              if (one.type === 'add') add()
              else {
                const names = [...present.keys()]
                const name = names[one.index % names.length] ?? ''
                present.get(name)?.remove()
                present.delete(name)
                throughout.delete(name)
              }
            }
          }

          expect(seen).toEqual([...new Set(seen)])
          expect(seen.filter((name) => throughout.has(name))).toEqual([...throughout])
        },
      ),
      { numRuns: tries(100) },
    )
  })

  test('goes on in the place of an item that has gone', async () => {
    const server = createServer({ name: 'moving', version: '1', pageSize: 2 })
    const registrations = ['a', 'b', 'c', 'd'].map((name) => server.tool(name, {}, () => name))
    await using client = await createTestClient(server)

    const { nextCursor } = await client.listTools().page()
    registrations[1]?.remove()
    const next = await client.listTools().page(nextCursor)
    const last = await client.listTools().page(next.nextCursor)

    expect([...next.items, ...last.items].map(({ name }) => name)).toEqual(['c', 'd'])
  })

  test('goes on inside what is mounted, and behind it when it has gone', async () => {
    const inner = createServer({ name: 'inner', version: '1' })
    const members = ['a', 'b', 'c', 'd'].map((name) => inner.tool(name, {}, () => name))
    const server = createServer({ name: 'outer', version: '1', pageSize: 3 })
    server.tool('first', {}, () => 'first')
    const mount = server.mount('in', inner)
    server.tool('last', {}, () => 'last')
    await using client = await createTestClient(server)
    const { nextCursor } = await client.listTools().page()
    const nextName = async (): Promise<string | undefined> =>
      (await client.listTools().page(nextCursor)).items[0]?.name

    expect(await nextName()).toBe('in_c')
    members[1]?.remove()
    expect(await nextName()).toBe('in_c')
    mount.remove()
    expect(await nextName()).toBe('last')
  })

  test('goes on behind the item a page ended with, also when it is listed elsewhere too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (listed, pageSize) => {
          const server = createServer({ name: 'again', version: '1', pageSize })
          listed.forEach((members, slot) => {
            const list = () =>
              members.map((id, index) => ({ uri: `a://${id}`, name: `${slot} ${index}` }))
            server.resource(`a://{id}/${slot}`, { list }, ({ id }) => id)
          })
          server.resource('a://b', { name: 'fixed' }, () => 'b')
          await using client = await createTestClient(server)

          const all = listed.flatMap((members, slot) =>
            members.map((_, index) => `${slot} ${index}`),
          )
          expect(await namesOf(client.listResources())).toEqual([...all, 'fixed'])
        },
      ),
      { numRuns: tries(60) },
    )
  })

  test('goes on behind an item that moved, the first of those with its key', async () => {
    let listed = ['a', 'b', 'c', 'b', 'd']
    const server = createServer({ name: 'moving', version: '1', pageSize: 2 })
    const list = () => listed.map((id) => ({ uri: `a://${id}`, name: id }))
    server.resource('a://{id}', { list }, ({ id }) => id)
    await using client = await createTestClient(server)
    const { nextCursor } = await client.listResources().page()

    listed = ['new', ...listed]
    const moved = await client.listResources().page(nextCursor)
    listed = ['a', 'c', 'd', 'e']
    const closed = await client.listResources().page(nextCursor)

    expect(moved.items.map(({ name }) => name)).toEqual(['c', 'b'])
    expect(closed.items.map(({ name }) => name)).toEqual(['c', 'd'])
  })

  test('goes on behind a key of any length', async () => {
    const server = createServer({ name: 'long', version: '1', pageSize: 1 })
    const list = () => ['x'.repeat(200_000), 'é'].map((id) => ({ uri: `a://${id}`, name: id }))
    server.resource('a://{id}', { list }, ({ id }) => id)
    await using client = await createTestClient(server)

    expect((await namesOf(client.listResources())).map(({ length }) => length)).toEqual([
      200_000, 1,
    ])
  })

  test('reads the members of a template no further than a page needs', async () => {
    let read = 0
    const server = createServer({ name: 'endless', version: '1', pageSize: 10 })
    async function* list(): AsyncGenerator<{ uri: string; name: string }> {
      for (;;) yield { uri: `row://${(read += 1)}`, name: `row ${read}` }
    }
    server.resource('row://{id}', { list }, ({ id }) => id)
    await using client = await createTestClient(server)

    const page = await client.listResources().page()

    expect(page.items).toHaveLength(10)
    expect(read).toBeLessThan(13)
  })

  test('refuses a page size below one', () => {
    expect(() => createServer({ name: 'none', version: '1', pageSize: 0 })).toThrow('pageSize')
  })

  test('is in the order of registration, which an update keeps', async () => {
    const server = createServer({ name: 'order', version: '1' })
    const [first] = ['b', 'c', 'a'].map((name) => server.tool(name, {}, () => name))
    first?.update({ description: 'changed' })
    await using client = await createTestClient(server)

    expect(await namesOf(client.listTools())).toEqual(['b', 'c', 'a'])
  })
})

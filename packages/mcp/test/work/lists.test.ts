import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { prepareList } from '../../src/server/lists/pagination.ts'

/** A schema that counts how often somebody asks what it looks like. */
function createCountingSchema() {
  const counts = { conversions: 0 }
  const convert = () => {
    counts.conversions++
    return { type: 'object' }
  }
  const schema = {
    '~standard': {
      version: 1 as const,
      vendor: 'counting',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  }
  return { schema, counts }
}

test('a schema is converted once, however often tools are listed and called', async () => {
  const { schema, counts } = createCountingSchema()
  const server = createServer({ name: 'work', version: '1.0.0' })
  server.tool('counted', { inputSchema: schema }, () => 'done')
  const afterDefinition = counts.conversions
  await using client = await connect(server)

  for (let round = 0; round < 20; round++) {
    for await (const tool of client.listTools()) expect(tool.name).toBe('counted')
    await client.callTool('counted', {})
  }

  expect(afterDefinition).toBe(1)
  expect(counts.conversions).toBe(1)
})

test('a page of a list is written once, and the next callers get the same text', async () => {
  let reads = 0
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    key: `tool-${index}`,
    order: 0,
    index,
    get json() {
      reads++
      return `{"name":"tool-${index}"}`
    },
  }))
  const list = prepareList('tools', items, { pageSize: 1_000, pageBytes: 2 ** 20 })

  const walk = async (): Promise<number> => {
    let pages = 0
    let cursor: string | undefined
    do {
      const page = JSON.parse(list.page(cursor).text) as { readonly nextCursor?: string }
      cursor = page.nextCursor
      pages++
    } while (cursor !== undefined)
    return pages
  }
  const pages = [await walk(), await walk(), await walk()]

  expect(pages).toEqual([10, 10, 10])
  // Once to cut the list by size, once to write its page.
  expect(reads).toBe(2 * items.length)
})

test('a walk over the pages of a list looks for none of its items', async () => {
  let looks = 0
  const items = Array.from({ length: 1_000 }, (_, index) => ({
    get key() {
      looks++
      return `tool-${index}`
    },
    order: 0,
    index,
    json: '{}',
  }))
  const list = prepareList('tools', items, { pageSize: 100, pageBytes: 2 ** 20 })

  let cursor: string | undefined
  do {
    ;({ nextCursor: cursor } = JSON.parse(list.page(cursor).text) as {
      nextCursor?: string
    })
  } while (cursor !== undefined)

  // One for each cursor that was written.
  expect(looks).toBe(9)
})

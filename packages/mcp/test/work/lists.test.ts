import { once } from 'node:events'
import {
  connect as connectTo,
  createServer as createListener,
  type AddressInfo,
  type Socket,
} from 'node:net'
import { createInterface } from 'node:readline'

import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'
import { expect, test, vi } from 'vitest'

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

test('a list over stdio is encoded once, however often it is asked for', async () => {
  const server = createServer({ name: 'work', version: '1.0.0' })
  server.tool('long', { description: 'ü'.repeat(40_000) }, () => 'done')
  const listener = createListener().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo // it listens on an address
  const far = connectTo(port, '127.0.0.1')
  const [near] = (await once(listener, 'connection')) as [Socket]
  await using service = serveStdio(server, { input: near, output: near, ownsProcess: false })
  const lines = createInterface({ input: far })[Symbol.asyncIterator]()
  const ask = async (id: number, method: string, params: object = {}): Promise<string> => {
    far.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return (await lines.next()).value as string // the server answers one by one
  }
  const clientInfo = { name: 'work', version: '1.0.0' }
  await ask(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  const encoded = vi.spyOn(Buffer.prototype, 'write')

  const answers = []
  for (let id = 1; id <= 5; id += 1) answers.push(await ask(id, 'tools/list'))
  const characters = encoded.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0)
  encoded.mockRestore()

  expect(service).toBeDefined()
  for (const [index, answer] of answers.entries()) {
    expect(JSON.parse(answer)).toMatchObject({
      id: index + 1,
      result: { tools: [{ name: 'long' }] },
    })
  }
  expect(characters).toBeGreaterThan(0)
  expect(characters).toBeLessThan(40_000)
  far.destroy()
  listener.close()
})

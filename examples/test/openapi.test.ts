import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { connect, toolOutput } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { createLibrary } from '../openapi.ts'

test('an API answers through tools, all pages at once', async () => {
  const library = createServer((request, response) => {
    const page = new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? '1'
    response.setHeader('content-type', 'application/json')
    if (page === '1') response.setHeader('link', '</books?q=emma&page=2>; rel="next"')
    response.end(JSON.stringify([{ isbn: page, title: String(request.headers['x-key']) }]))
  })
  await new Promise<void>((resolve) => library.listen(0, '127.0.0.1', resolve))
  const { port } = library.address() as AddressInfo // it listens
  await using client = await connect(
    createLibrary({ key: 'k', baseUrl: `http://127.0.0.1:${port}` }),
  )

  const names = (await client.listTools().toArray()).map(({ name }) => name)
  const result = await client.callTool('search_books', { q: 'emma' })
  library.closeAllConnections()
  library.close()

  expect(names).toEqual(['search_books', 'show_book'])
  expect(toolOutput(result)).toEqual({
    status: 200,
    body: [
      { isbn: '1', title: 'k' },
      { isbn: '2', title: 'k' },
    ],
  })
})

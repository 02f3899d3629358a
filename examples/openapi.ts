/** A web API as tools, from its OpenAPI document: reading only, with a key, and never another host. */

import type { Server } from '@parley/mcp/server'
import { fromOpenApi } from '@parley/tools/openapi'

const document = `
openapi: 3.1.0
info: { title: library, version: 1.0.0 }
servers: [{ url: https://library.example.com/api }]
security: [{ key: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Book:
      type: object
      properties: { isbn: { type: string }, title: { type: string } }
paths:
  /books:
    get:
      operationId: listBooks
      summary: Books by author or title
      parameters:
        - { name: q, in: query, required: true, schema: { type: string } }
        - { name: page, in: query, schema: { type: integer } }
      responses:
        '200':
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
  /books/{isbn}:
    get: { operationId: getBook, parameters: [{ name: isbn, in: path, required: true, schema: { type: string } }] }
    delete: { operationId: deleteBook, parameters: [{ name: isbn, in: path, required: true, schema: { type: string } }] }
`

/** Options are for tests: the key, and where the library is. */
export function createLibrary(options: {
  readonly key: string
  readonly baseUrl?: string
}): Server {
  const api = fromOpenApi(document, {
    include: { methods: ['get'] },
    rename: { listBooks: 'search_books', getBook: 'show_book' },
    credentials: { key: options.key },
    baseUrl: options.baseUrl,
    maxPages: 3,
  })
  return api.server()
}

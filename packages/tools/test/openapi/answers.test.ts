import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { connect, toolOutput } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { fromOpenApi, type OpenApiOptions } from '@parley/tools/openapi'
import { describe, expect, test } from 'vitest'

import { documentOf, recordedFetch, type Recorded } from './recorded-fetch.ts'

const listed = { 'application/json': { schema: { type: 'array', items: { type: 'integer' } } } }
const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type } })

/** One tool, whose API answers as it is told. */
function toolFor(
  answer: (request: Recorded) => Response,
  operation: object = {},
  options: OpenApiOptions = {},
) {
  const { fetch, requests } = recordedFetch(answer)
  const [tool] = fromOpenApi(documentOf({ '/a': { get: operation } }), { fetch, ...options }).tools
  if (tool === undefined) throw new Error('no tool')
  return { ...tool, requests }
}

describe('success', () => {
  test('is text, and structured where the document describes it', async () => {
    const { call } = toolFor(() => Response.json([1, 2]), {
      responses: { 200: { content: listed } },
    })

    expect(await call({})).toEqual({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: { status: 200, body: [1, 2] },
    })
  })

  test('an answer that breaks the document is still shown', async () => {
    const { call } = toolFor(() => Response.json({ not: 'a list' }), {
      responses: { 200: { content: listed } },
    })

    expect(await call({})).toEqual({
      content: [{ type: 'text', text: '{"not":"a list"}' }],
      structuredContent: { status: 200 },
    })
  })

  test.each([
    [new Response(null, { status: 204 }), 'Done: status 204, without a body.'],
    [new Response('plain', { headers: { 'content-type': 'text/plain' } }), 'plain'],
    [new Response('{broken', { headers: { 'content-type': 'application/json' } }), '{broken'],
    [
      new Response('zip', { headers: { 'content-type': 'application/zip' } }),
      'Done: status 200, with 3 bytes of application/zip, which are not shown.',
    ],
  ])('%j', async (response, text) => {
    const { call } = toolFor(() => response)

    expect(await call({})).toEqual({ content: [{ type: 'text', text }] })
  })

  test('a picture is a picture', async () => {
    const { call } = toolFor(
      () => new Response(new Uint8Array([1, 2, 3]), { headers: { 'content-type': 'image/png' } }),
    )

    expect((await call({})).content).toEqual([
      { type: 'image', mimeType: 'image/png', data: 'AQID' },
    ])
  })

  test('more than the limit is cut', async () => {
    const { call } = toolFor(() => Response.json('x'.repeat(500)), {}, { maxBytes: 100 })
    const { content } = await call({})

    expect(content[0]).toMatchObject({
      text: expect.stringMatching(
        /^"x{99}\n\[cut: the answer is longer than the limit of 100 bytes\]$/,
      ),
    })
  })
})

describe('failure', () => {
  test('has the status and the beginning of the body', async () => {
    const answer = () =>
      new Response('a'.repeat(5_000), {
        status: 429,
        statusText: 'Too Many',
        headers: { 'retry-after': '7' },
      })
    const { call } = toolFor(answer)
    const result = await call({})

    expect(result.isError).toBe(true)
    expect(result.content[0]).toMatchObject({
      text: expect.stringMatching(/^GET \/a answered 429 Too Many:\na{2000}…\nTry again after: 7$/),
    })
  })

  test('of the network says why, and never shows the URL with its key', async () => {
    const components = { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } }
    const document = documentOf({ '/a': { get: {} } }, { components, security: [{ key: [] }] })
    const [tool] = fromOpenApi(document, {
      credentials: { key: 'hunter2' },
      fetch: async (url) => {
        throw new TypeError(`fetch of ${url} failed`, {
          cause: Object.assign(new Error(url), { code: 'ECONNREFUSED' }),
        })
      },
    }).tools
    const result = await tool?.call({})

    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'GET /a failed: ECONNREFUSED: the URL' }],
    })
  })
})

describe('redirects', () => {
  const redirect = (location: string, status = 302) =>
    new Response(null, { status, headers: { location } })

  test('are followed on the same origin', async () => {
    const { call, requests } = toolFor(({ url }) =>
      url.endsWith('/b') ? Response.json('here') : redirect('/v1/b'),
    )

    expect((await call({})).content).toEqual([{ type: 'text', text: '"here"' }])
    expect(requests.map(({ url }) => url)).toEqual([
      'https://api.example.com/v1/a',
      'https://api.example.com/v1/b',
    ])
  })

  test.each([
    'https://evil.example/',
    'http://api.example.com/v1/b',
    '//evil.example',
    'https://api.example.com:8443/',
    'file:///etc/passwd',
  ])('to %s are refused', async (location) => {
    const { call, requests } = toolFor(() => redirect(location))
    const result = await call({})

    expect(result.isError).toBe(true)
    expect(result.content[0]).toMatchObject({
      text: expect.stringContaining('which is not followed'),
    })
    expect(requests).toHaveLength(1)
  })

  test('without end are given up', async () => {
    const { call, requests } = toolFor(() => redirect('/v1/a'))

    expect((await call({})).isError).toBe(true)
    expect(requests).toHaveLength(6)
  })

  test('of a request with a body repeat it only where the status says so', async () => {
    const post = { requestBody: { content: { 'application/json': {} } } }
    for (const [status, expected] of [
      [307, ['POST', 'POST']],
      [303, ['POST', 'GET']],
      [302, ['POST']],
    ] as const) {
      const { fetch, requests } = recordedFetch(({ url }) =>
        url.endsWith('/b') ? Response.json(1) : redirect('/v1/b', status),
      )
      await fromOpenApi(documentOf({ '/a': { post } }), { fetch }).tools[0]?.call({
        body: { a: 1 },
      })

      expect(requests.map(({ method }) => method)).toEqual(expected)
      expect(requests[1]?.body).toBe(status === 307 ? '{"a":1}' : undefined)
    }
  })
})

describe('pages', () => {
  const parameters = [
    query('page', 'integer'),
    query('cursor'),
    query('continue'),
    query('starting_after'),
  ]
  const link = (url: string) => ({
    headers: { link: `<https://api.example.com/v1/a?page=9>; rel="last", <${url}>; rel="next"` },
  })

  test.each([
    [
      'a Link header',
      Response.json([1], link('https://api.example.com/v1/a?page=2&unknown=x')),
      { page: 2 },
    ],
    ['a cursor', Response.json({ next_cursor: 'abc' }), { cursor: 'abc' }],
    ['the way of Kubernetes', Response.json({ metadata: { continue: 'c' } }), { continue: 'c' }],
    [
      'the way of Stripe',
      Response.json({ has_more: true, data: [{ id: 'a' }, { id: 'b' }] }),
      { starting_after: 'b' },
    ],
    ['a URL in the body', Response.json({ next: '/v1/a?page=3' }), { page: 3 }],
    [
      'a Link to another host',
      Response.json([1], link('https://evil.example/v1/a?page=2')),
      undefined,
    ],
    [
      'a Link to another path',
      Response.json([1], link('https://api.example.com/v1/admin?page=2')),
      undefined,
    ],
    ['the last page', Response.json({ has_more: false, next_cursor: '', next: null }), undefined],
  ])('%s', async (_, response, next) => {
    const { call } = toolFor(() => response, {
      parameters,
      responses: { 200: { content: { 'application/json': { schema: {} } } } },
    })
    const { structuredContent, content } = await call({})

    expect((structuredContent as { readonly next?: unknown }).next).toEqual(next)
    expect(content).toHaveLength(next === undefined ? 1 : 2)
  })

  test('are followed and joined up to the limit', async () => {
    const { call, requests } = toolFor(
      ({ url }) => {
        const page = Number(new URL(url).searchParams.get('page') ?? 1)
        return Response.json(
          [page],
          page < 5 ? link(`https://api.example.com/v1/a?page=${page + 1}`) : {},
        )
      },
      { parameters, responses: { 200: { content: listed } } },
      { maxPages: 3 },
    )

    expect((await call({})).structuredContent).toEqual({
      status: 200,
      body: [1, 2, 3],
      next: { page: 4 },
    })
    expect((await call({ page: 4 })).structuredContent).toEqual({ status: 200, body: [4, 5] })
    expect(requests).toHaveLength(5)
  })

  test("of an object are joined in its one list, by a cursor of the API's own", async () => {
    const { call } = toolFor(
      ({ url }) =>
        url.includes('after=x')
          ? Response.json({ rows: [2], more: null })
          : Response.json({ rows: [1], more: 'x' }),
      { parameters: [query('after')] },
      { maxPages: 9, cursors: [{ from: 'more', parameter: 'after' }] },
    )

    expect((await call({})).content).toEqual([{ type: 'text', text: '{"rows":[1,2],"more":null}' }])
  })

  test('that never end stop at the limit', async () => {
    let at = 0
    const { call, requests } = toolFor(
      () => Response.json({ next_cursor: `${++at}`, items: [at] }),
      { parameters },
      { maxPages: 20 },
    )
    await call({})

    expect(requests).toHaveLength(20)
  })
})

describe('over HTTP', () => {
  async function serving(listener: RequestListener) {
    const server = createHttpServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens
    return {
      baseUrl: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }

  test('a server of a document does what the API does', async () => {
    await using api = await serving((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify([request.url?.length]))
    })
    const get = {
      operationId: 'measure',
      parameters: [{ ...query('q'), required: true }],
      responses: { 200: { content: listed } },
    }
    const server = fromOpenApi(documentOf({ '/a': { get } }), { baseUrl: api.baseUrl }).server()
    await using client = await connect(server)

    expect(client.server.info).toMatchObject({ name: 'Pets', version: '1.2.3' })
    expect(toolOutput(await client.callTool('measure', { q: 'x' }))).toEqual({
      status: 200,
      body: [6],
    })
    expect((await client.callTool('measure')).isError).toBe(true)
  })

  test('an API that never answers, or never ends, is given up', async () => {
    await using api = await serving((request, response) => {
      if (request.url === '/b') response.write('x')
    })
    const paths = { '/a': { get: {} }, '/b': { get: {} } }
    const { tools } = fromOpenApi(documentOf(paths), { baseUrl: api.baseUrl, timeoutMs: 100 })

    for (const { call, operation } of tools) {
      expect((await call({})).content).toEqual([
        { type: 'text', text: `GET ${operation.path} did not answer within 100 ms` },
      ])
    }
  })

  test('an endless answer is cut, and its connection closed', async () => {
    let hasClosed = () => {}
    const closed = new Promise<void>((resolve) => (hasClosed = resolve))
    await using api = await serving((_, response) => {
      response.setHeader('content-type', 'text/plain')
      const write = () => void (response.destroyed || response.write('x'.repeat(1_000), write))
      response.on('close', hasClosed)
      write()
    })
    const [tool] = fromOpenApi(documentOf({ '/a': { get: {} } }), {
      baseUrl: api.baseUrl,
      maxBytes: 5_000,
    }).tools
    const result = await tool?.call({})
    await closed

    expect(JSON.stringify(result)).toContain('longer than the limit of 5000 bytes')
  })

  test('a caller that leaves ends the request', async () => {
    let leave = () => {}
    let hasClosed = () => {}
    const closed = new Promise<void>((resolve) => (hasClosed = resolve))
    await using api = await serving((request) => {
      request.on('close', hasClosed)
      leave()
    })
    const server = createServer({
      name: 'api',
      version: '1',
      features: fromOpenApi(documentOf({ '/a': { get: { operationId: 'a' } } }), {
        baseUrl: api.baseUrl,
      }).features(),
    })
    await using client = await connect(server)
    const leaving = new AbortController()
    leave = () => leaving.abort()

    await expect(client.callTool('a', {}, { signal: leaving.signal })).rejects.toThrow()
    await closed
  })
})

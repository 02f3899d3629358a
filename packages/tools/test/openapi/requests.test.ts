import type { JsonObject } from '@parley/mcp'
import { fromOpenApi } from '@parley/tools/openapi'
import { describe, expect, test } from 'vitest'

import { documentOf, recordedFetch } from './recorded-fetch.ts'

/** The URL and headers of one call with one parameter. */
async function sent(parameter: object, value: unknown, path = '/a') {
  const { fetch, requests } = recordedFetch()
  const { tools } = fromOpenApi(documentOf({ [path]: { get: { parameters: [parameter] } } }), {
    fetch,
  })
  const result = await tools[0]?.call({ p: value } as JsonObject)
  return {
    url: requests[0]?.url.slice('https://api.example.com/v1'.length),
    request: requests[0],
    result,
  }
}

describe('parameters of the query', () => {
  const list = ['a b', 'c&d']
  const object = { x: 1, y: 'z=' }

  test.each([
    [{}, 'ä/?', '?p=%C3%A4%2F%3F'],
    [{}, 7, '?p=7'],
    [{}, false, '?p=false'],
    [{}, null, ''],
    [{}, list, '?p=a%20b&p=c%26d'],
    [{ explode: false }, list, '?p=a%20b%2Cc%26d'],
    [{ style: 'spaceDelimited', explode: false }, ['a', 'b'], '?p=a%20b'],
    [{ style: 'pipeDelimited', explode: false }, ['a', 'b'], '?p=a%7Cb'],
    [{}, object, '?x=1&y=z%3D'],
    [{ explode: false }, object, '?p=x%2C1%2Cy%2Cz%3D'],
    [{ style: 'deepObject', explode: true }, object, '?p%5Bx%5D=1&p%5By%5D=z%3D'],
    [
      { style: 'deepObject' },
      { in: { deep: [1, { a: 2 }] } },
      '?p%5Bin%5D%5Bdeep%5D%5B0%5D=1&p%5Bin%5D%5Bdeep%5D%5B1%5D%5Ba%5D=2',
    ],
    [
      { content: { 'application/json': {} }, schema: undefined },
      object,
      `?p=${encodeURIComponent('{"x":1,"y":"z="}')}`,
    ],
    [{ allowReserved: true }, 'a/b:c#d&e', '?p=a/b:c%23d%26e'],
  ])('%j with %j', async (style, value, expected) => {
    const { url } = await sent({ name: 'p', in: 'query', schema: {}, ...style }, value)

    expect(url).toBe(`/a${expected}`)
  })
})

describe('parameters of the path', () => {
  test.each([
    [{}, 'a/b?c', '/a%2Fb%3Fc'],
    [{}, ['x', 'y,z'], '/x,y%2Cz'],
    [{}, { k: 'v', l: 2 }, '/k,v,l,2'],
    [{ explode: true }, { k: 'v', l: 2 }, '/k=v,l=2'],
    [{ style: 'label' }, ['x', 'y'], '/.x,y'],
    [{ style: 'label', explode: true }, ['x', 'y'], '/.x.y'],
    [{ style: 'matrix' }, ['x', 'y'], '/;p=x,y'],
    [{ style: 'matrix', explode: true }, ['x', 'y'], '/;p=x;p=y'],
    [{ style: 'matrix', explode: true }, { k: 'v' }, '/;k=v'],
    [{ style: 'matrix' }, 'x', '/;p=x'],
  ])('%j with %j', async (style, value, expected) => {
    const { url } = await sent({ name: 'p', in: 'path', ...style }, value, '/{p}')

    expect(url).toBe(expected)
  })

  test.each(['..', '.', '', undefined])(
    'refuses %j, which would be another path',
    async (value) => {
      const { request, result } = await sent({ name: 'p', in: 'path' }, value, '/users/{p}/keys')

      expect(result?.isError).toBe(true)
      expect(request).toBeUndefined()
    },
  )

  test.each(['../../admin', '..\\admin', '%2e%2e', '//evil.example', '@evil.example', 'a\nb'])(
    '%j stays one segment of the pinned host',
    async (value) => {
      const { request } = await sent({ name: 'p', in: 'path' }, value, '/users/{p}/keys')
      const url = new URL(request?.url ?? '')

      expect(url.host).toBe('api.example.com')
      expect(url.pathname).toMatch(/^\/v1\/users\/[^/]+\/keys$/)
    },
  )
})

test('headers and cookies', async () => {
  const { request } = await sent({ name: 'X-Trace', in: 'header' }, undefined)
  expect(request?.headers.get('accept')).toContain('application/json')

  const { fetch, requests } = recordedFetch()
  const parameters = [
    { name: 'X-Ids', in: 'header', schema: { type: 'array' } },
    { name: 'session', in: 'cookie' },
    { name: 'Authorization', in: 'header' },
  ]
  const [tool] = fromOpenApi(documentOf({ '/a': { get: { parameters } } }), { fetch }).tools
  await tool?.call({ 'X-Ids': ['1', '2'], session: 'a; b' })

  expect(requests[0]?.headers.get('x-ids')).toBe('1,2')
  expect(requests[0]?.headers.get('cookie')).toBe('session=a%3B%20b')
  expect(Object.keys(tool?.definition.inputSchema['properties'] ?? {})).toEqual([
    'X-Ids',
    'session',
  ])
  const split = await tool?.call({ 'X-Ids': 'a\r\nevil: 1' })
  expect(split).toMatchObject({ isError: true })
  expect(requests).toHaveLength(1)
})

describe('bodies', () => {
  async function posted(content: object, body: unknown) {
    const { fetch, requests } = recordedFetch()
    const post = { requestBody: { required: true, content } }
    const { tools } = fromOpenApi(documentOf({ '/a': { post } }), { fetch })
    await tools[0]?.call({ body } as JsonObject)
    return requests[0]
  }

  test('as JSON, also of a type of its own', async () => {
    const request = await posted({ 'text/xml': {}, 'application/merge-patch+json': {} }, { a: [1] })

    expect(request?.body).toBe('{"a":[1]}')
    expect(request?.headers.get('content-type')).toBe('application/merge-patch+json')
  })

  test('as a form, nested as most servers read it', async () => {
    const content = {
      'application/x-www-form-urlencoded': { encoding: { csv: { explode: false } } },
    }
    const request = await posted(content, {
      a: 'x y',
      list: ['1', '2'],
      csv: ['1', '2'],
      deep: { b: { c: 3 } },
      items: [{ price: 'p' }],
    })

    const sentPairs = [...new URLSearchParams(String(request?.body))]
    expect(sentPairs).toEqual([
      ['a', 'x y'],
      ['list', '1'],
      ['list', '2'],
      ['csv', '1,2'],
      ['deep[b][c]', '3'],
      ['items[0][price]', 'p'],
    ])
  })

  test('as multipart', async () => {
    const request = await posted(
      { 'multipart/form-data': {} },
      { name: 'n', tags: ['a', 'b'], more: { x: 1 } },
    )
    const { body, headers } = request ?? {}
    const form = await new Response(String(body), { headers: headers ?? {} }).formData()

    expect([...form]).toEqual([
      ['name', 'n'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['more', '{"x":1}'],
    ])
  })

  test('as text', async () => {
    expect((await posted({ 'text/plain': {} }, 'hello'))?.body).toBe('hello')
  })

  test('GET has none, and TRACE is skipped', async () => {
    const { fetch, requests } = recordedFetch()
    const requestBody = { required: true, content: { 'application/json': {} } }
    const { tools, skipped } = fromOpenApi(
      documentOf({ '/a': { get: { requestBody }, trace: {} } }),
      { fetch },
    )
    await tools[0]?.call({ body: 1 })

    expect(requests[0]?.body).toBeUndefined()
    expect(tools.map(({ definition }) => definition.inputSchema['properties'])).toEqual([{}])
    expect(skipped).toMatchObject([{ reason: 'TRACE cannot be sent with fetch' }])
  })

  test('an operation whose body cannot be written is skipped with the reason', () => {
    const post = { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
    const { tools, skipped } = fromOpenApi(documentOf({ '/a': { post } }))

    expect(tools).toEqual([])
    expect(skipped).toMatchObject([
      { operation: { path: '/a' }, reason: 'its body cannot be written: application/octet-stream' },
    ])
  })
})

describe('servers', () => {
  const paths = {
    '/a': { get: {} },
    '/b': { get: { servers: [{ url: 'https://uploads.example.com' }] } },
  }

  test('variables of the document can be set', async () => {
    const servers = [
      {
        url: 'https://{region}.example.com/{v}',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] }, v: { default: '2' } },
      },
    ]
    const { fetch, requests } = recordedFetch()
    const document = documentOf({ '/a': { get: {} } }, { servers })
    await fromOpenApi(document, { fetch, serverVariables: { region: 'us' } }).tools[0]?.call({})

    expect(requests[0]?.url).toBe('https://us.example.com/2/a')
    expect(() => fromOpenApi(document, { serverVariables: { region: 'mars' } })).toThrow(
      'use one of eu, us',
    )
  })

  test('another host is asked only if it is listed', async () => {
    const { fetch, requests } = recordedFetch()

    expect(fromOpenApi(documentOf(paths)).skipped[0]?.reason).toBe(
      'its server is uploads.example.com: add it to hosts',
    )
    const { tools } = fromOpenApi(documentOf(paths), { fetch, hosts: ['uploads.example.com'] })
    for (const { call } of tools) await call({})
    expect(requests.map(({ url }) => url)).toEqual([
      'https://api.example.com/v1/a',
      'https://uploads.example.com/b',
    ])
  })

  test('a host is not asked by http where the others are asked by https', () => {
    const own = { '/a': { get: { servers: [{ url: 'http://api.example.com' }] } } }

    expect(fromOpenApi(documentOf(own)).skipped[0]?.reason).toContain('asked by http')
  })

  test("baseUrl takes the place of the document's server", async () => {
    const { fetch, requests } = recordedFetch()
    const own = { '/a': { get: { servers: [{ url: 'https://api.example.com/v1' }] } } }
    await fromOpenApi(documentOf(own), {
      fetch,
      baseUrl: 'http://localhost:8080/x/?key=1',
    }).tools[0]?.call({})

    expect(requests[0]?.url).toBe('http://localhost:8080/x/a?key=1')
  })

  test.each([
    [{ servers: [] }, {}, 'the document names no server: give baseUrl'],
    [
      { servers: [{ url: '/v1' }] },
      {},
      'has the server "/v1", which is not an absolute URL: give baseUrl',
    ],
    [{}, { baseUrl: 'ftp://x' }, 'ftp: is not supported'],
    [{}, { baseUrl: 'https://a:b@x' }, 'give credentials instead'],
    [{}, { baseUrl: 'nowhere' }, '"nowhere" is not a URL'],
  ])('%j and %j are refused', (more, options, why) => {
    expect(() => fromOpenApi(documentOf(paths, more), options)).toThrow(why)
  })
})

describe('credentials', () => {
  const securitySchemes = {
    header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    bearer: { type: 'http', scheme: 'bearer' },
    basic: { type: 'http', scheme: 'basic' },
    oauth: { type: 'oauth2', flows: {} },
  }
  const parameters = [{ name: 'key', in: 'query' }]
  function secured(security: unknown, more: object = {}) {
    return documentOf(
      { '/a': { get: { security, parameters } } },
      { components: { securitySchemes }, ...more },
    )
  }

  test.each([
    ['header', 'k', { 'x-key': 'k' }, ''],
    ['query', 'k', {}, '?key=k'],
    ['cookie', 'k', { cookie: 'sid=k' }, ''],
    ['bearer', 't', { authorization: 'Bearer t' }, ''],
    [
      'basic',
      { username: 'ü', password: 'p' },
      { authorization: `Basic ${Buffer.from('ü:p').toString('base64')}` },
      '',
    ],
    ['oauth', async () => 't2', { authorization: 'Bearer t2' }, ''],
  ])('%s', async (name, credential, headers, query) => {
    const { fetch, requests } = recordedFetch()
    await fromOpenApi(secured([{ [name]: [] }]), {
      fetch,
      credentials: { [name]: credential },
    }).tools[0]?.call({})

    expect(requests[0]?.url).toBe(`https://api.example.com/v1/a${query}`)
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toMatchObject(headers)
  })

  test('the first alternative that can be met counts, and both parts of it are sent', async () => {
    const { fetch, requests } = recordedFetch()
    const document = secured([{ oauth: [] }, { header: [], query: [] }])
    await fromOpenApi(document, { fetch, credentials: { header: 'h', query: 'q' } }).tools[0]?.call(
      { key: 'evil' },
    )

    expect(requests[0]?.url).toBe('https://api.example.com/v1/a?key=q')
    expect(requests[0]?.headers.get('x-key')).toBe('h')
  })

  test('none that can be met is an error for the model, and nothing is sent', async () => {
    const { fetch, requests } = recordedFetch()
    const result = await fromOpenApi(secured([{ oauth: [] }]), {
      fetch,
      credentials: { oauth: () => undefined },
    }).tools[0]?.call({})

    expect(result).toEqual({
      isError: true,
      content: [
        { type: 'text', text: 'GET /a: it needs credentials for oauth, and there are none' },
      ],
    })
    expect(requests).toEqual([])
  })

  test('are not sent where an operation asks for none', async () => {
    const { fetch, requests } = recordedFetch()
    const document = secured([], { security: [{ bearer: [] }] })
    await fromOpenApi(document, { fetch, credentials: { bearer: 't' } }).tools[0]?.call({})

    expect(requests[0]?.headers.get('authorization')).toBeNull()
  })

  test('for a scheme that is not there are refused', () => {
    expect(() => fromOpenApi(secured([]), { credentials: { token: 't' } })).toThrow(
      'credentials.token: the document has no such security scheme; it has header, query',
    )
  })

  test('a function knows whose call it is, and headers can be a function too', async () => {
    const { fetch, requests } = recordedFetch()
    const signal = new AbortController().signal
    const api = fromOpenApi(secured([{ bearer: [] }]), {
      fetch,
      credentials: { bearer: (caller) => (caller.signal === signal ? 'mine' : 'other') },
      headers: () => ({ 'x-version': '3' }),
    })
    await api.tools[0]?.call({}, { signal })

    expect(requests[0]?.headers.get('authorization')).toBe('Bearer mine')
    expect(requests[0]?.headers.get('x-version')).toBe('3')
  })
})

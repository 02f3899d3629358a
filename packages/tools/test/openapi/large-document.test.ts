import { compileJsonSchema } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { fromOpenApi } from '@parley/tools/openapi'
import { describe, expect, test } from 'vitest'

import { generateDocument } from './generated-document.ts'
import { recordedFetch } from './recorded-fetch.ts'

const credentials = {
  bearer: 'token',
  basic: { username: 'ann', password: 'pass' },
  headerKey: 'key',
  queryKey: 'key',
  cookieKey: 'key',
  oauth: async () => 'oauth-token',
  openid: 'id-token',
}

describe.each([
  ['3.0.4', 300],
  ['3.1.1', 1_000],
  ['3.2.0', 300],
])('a document of OpenAPI %s with %i operations', (version, count) => {
  const { document, expected } = generateDocument(version, count)
  const { fetch, requests } = recordedFetch()
  const api = fromOpenApi(JSON.stringify(document), {
    fetch,
    credentials,
    hosts: ['files.example.com'],
  })

  test('becomes one tool for each, with a name and schemas that models accept', () => {
    expect(api.skipped).toEqual([])
    expect(api.tools).toHaveLength(count)
    const names = api.tools.map(({ definition }) => definition.name)
    expect(new Set(names).size).toBe(count)
    for (const { definition } of api.tools) {
      expect(definition.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(JSON.stringify(definition).length).toBeLessThan(100_000)
    }
  })

  test('sends each call as the document says', async () => {
    for (const [at, { definition, operation, call }] of api.tools.entries()) {
      const want = expected[at]
      if (want === undefined) throw new RangeError(`there is no operation ${at}`)
      expect(operation.path).toBe(want.path)
      expect(compileJsonSchema(definition.inputSchema)(want.args), want.path).toBeUndefined()

      const result = await call(want.args)
      expect(result.isError ?? false, JSON.stringify(result)).toBe(false)
      const request = requests.pop()
      expect(requests).toEqual([])
      expect({ ...request, headers: pick(request?.headers, want.headers) }).toEqual({
        method: want.method,
        url: want.url,
        headers: want.headers,
        body: want.body,
      })
      for (const secret of ['authorization', 'x-key', 'cookie']) {
        if (want.headers[secret] === undefined) expect(request?.headers.has(secret)).toBe(false)
      }
    }
  })

  test('is listed page by page, and called by its names', async () => {
    await using client = await connect(api.server())

    const listed = await client.listTools().toArray()

    expect(listed.map(({ name }) => name)).toEqual(
      api.tools.map(({ definition }) => definition.name),
    )
    const [last] = listed.slice(-1)
    const result = await client.callTool(last?.name ?? '', expected.at(-1)?.args)
    expect(result.isError ?? false).toBe(false)
  })

  test('has the same names in another order', () => {
    const turned = {
      ...document,
      paths: Object.fromEntries(Object.entries(document.paths).toReversed()),
    }
    const names = fromOpenApi(turned, { hosts: ['files.example.com'] }).tools.map(
      ({ definition }) => definition.name,
    )

    expect(names.toReversed()).toEqual(api.tools.map(({ definition }) => definition.name))
  })
})

function pick(headers: Headers | undefined, wanted: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, headers?.get(name)]))
}

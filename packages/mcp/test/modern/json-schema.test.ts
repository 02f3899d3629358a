import type { JsonSchema } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { afterEach, expect, test, vi } from 'vitest'

import { describeStandalone } from '../support/modern-client.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const outside: [string, JsonSchema][] = [
  ['on the network', { $ref: 'https://evil.example/schema.json' }],
  ['inside the network', { $ref: 'http://169.254.169.254/latest/meta-data' }],
  ['in a file', { $ref: 'file:///etc/passwd' }],
  ['beside it', { $ref: 'other.json#/a' }],
  ['at an id of its own', { $id: 'https://a.example/', $ref: 'b.json' }],
]

test.each(outside)(
  'a reference to something %s is refused when it is defined, and never fetched [N07-JSCH-01, N07-JSCH-02]',
  (_, property) => {
    const fetched = vi.fn()
    vi.stubGlobal('fetch', fetched)
    const server = createServer({ name: 'refers', version: '1' })
    const schema = { type: 'object' as const, properties: { property } }
    const rejection = expect.objectContaining({ code: 'invalid_schema' }) as Error

    expect(() => server.tool('in', { inputSchema: schema }, () => 'x')).toThrow(rejection)
    expect(() => server.tool('out', { outputSchema: schema }, () => ({}))).toThrow(rejection)
    expect(fetched).not.toHaveBeenCalled()
  },
)

describeStandalone('a schema', ({ open }) => {
  test('of a question is held to the same, before anything is asked [N07-JSCH-01, N07-JSCH-02]', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const server = createServer({ name: 'refers', version: '1', onError: () => undefined })
    server.tool('ask', {}, async (_, context) => {
      const property = { $ref: 'https://evil.example/a.json' }
      const requestedSchema = { type: 'object' as const, properties: { property } }
      const answer = await context.elicit({
        message: 'Sure?',
        requestedSchema,
      })
      return answer.action
    })
    const client = await open(server)

    const capabilities = { elicitation: {} }
    const { result } = await client.request('tools/call', { name: 'ask' }, { capabilities })

    expect(result).toMatchObject({ resultType: 'complete', isError: true })
    expect(JSON.stringify(client.received)).not.toContain('evil.example')
    const urls = fetched.mock.calls.map(([url]) => JSON.stringify(url))
    expect(urls.filter((url) => url.includes('evil'))).toEqual([])
  })

  test('and a value that would take for ever to check are given up [N07-JSCH-03]', async () => {
    const server = createServer({ name: 'bombs', version: '1', onError: () => undefined })
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    )
    const inputSchema = {
      type: 'object' as const,
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: { ...definitions, d40: { type: 'string' } },
    }
    server.tool('bomb', { inputSchema }, () => 'x')
    const client = await open(server)

    const { result, error } = await client.request('tools/call', {
      name: 'bomb',
      arguments: { a: 1 },
    })

    expect(error ?? result).toMatchObject(error ? { code: -32603 } : { isError: true })
    expect((await client.request('tools/list')).result).toBeDefined()
  })

  test('arguments nested deeper than a message may be are refused [N07-JSCH-03]', async () => {
    const server = createServer({ name: 'deep', version: '1', onError: () => undefined })
    server.tool('deep', {}, () => 'x')
    const client = await open(server)
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    const meta =
      '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
    const params = `{"name":"deep","arguments":{"a":${deep}},${meta}}`

    client.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
    const { error } = await client.next()

    expect(error).toBeDefined()
    expect((await client.request('tools/list')).result).toBeDefined()
  })
})

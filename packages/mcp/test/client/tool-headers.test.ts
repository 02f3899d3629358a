import type { JsonObject, McpError } from '@parley/mcp'
import { createTransportPair } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import type { TransportLink } from '../../src/client/connection/transport-link.ts'
import { createClient } from '../../src/client/create-client.ts'
import { bothEras, openStandalone, serverInfo } from '../support/raw-modern-server.ts'
import { openRawServer } from '../support/raw-server.ts'

const plain = { name: 'plain', inputSchema: { type: 'object' } }
const mirrored = (header: string): object => ({
  name: 'mirrored',
  inputSchema: {
    type: 'object',
    properties: { tenant: { type: 'string', 'x-mcp-header': header } },
  },
})
const invalid = {
  name: 'invalid',
  inputSchema: { type: 'object', properties: { n: { type: 'number', 'x-mcp-header': 'N' } } },
}

describe('a tool whose headers cannot be made', () => {
  test('is left out and reported over HTTP; the others stay [N07-XHDR-04]', async () => {
    const errors: McpError[] = []
    const server = openStandalone({
      kind: 'http',
      onError: (error) => errors.push(error as McpError),
    })
    const client = await server.discovered()
    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools: [plain, invalid, mirrored('Tenant')] })

    expect((await listing).map(({ name }) => name)).toEqual(['plain', 'mirrored'])
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toMatch(/tool invalid .*x-mcp-header "N"/)
    await client.close()
  })

  test.each([
    ['another transport', { kind: 'stdio' }],
    ['a revision that has no such headers', { kind: 'http', protocolVersion: 'legacy' }],
  ] as const)('stays over %s [N07-XHDR-09]', async (_, options) => {
    const server = openStandalone(options)
    const isOld = 'protocolVersion' in options
    const client = await (isOld ? server.accept() : server.discovered())
    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools: [plain, invalid] })

    expect(await listing).toHaveLength(2)
    await client.close()
  })
})

describe('headers that repeat arguments', () => {
  test('are made from the newest description; without one there are none [N07-XHDR-03] [N07-XHDR-06]', async () => {
    const { server, client, link } = await openLinked()
    const args: JsonObject = { tenant: 'acme' }
    expect(link().paramHeaders?.('mirrored', args)).toEqual({})
    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools: [mirrored('Tenant')] })
    await listing

    expect(link().paramHeaders?.('mirrored', args)).toEqual({ 'mcp-param-tenant': 'acme' })
    expect(link().paramHeaders?.('mirrored', { tenant: null })).toEqual({})
    await client.close()
  })

  test('that are refused are made anew from a new list, once [N07-XHDR-06]', async () => {
    const { server, client, link } = await openLinked()
    const calling = client.callTool('mirrored', { tenant: 'acme' })
    await server.reject('tools/call', { code: -32020, message: 'Mcp-Param-Tenant' })
    await server.answer('tools/list', { tools: [mirrored('Tenant')] })
    await server.answer('tools/call', { content: [] })

    expect(await calling).toEqual({ content: [] })
    expect(link().paramHeaders?.('mirrored', { tenant: 'a' })).toEqual({ 'mcp-param-tenant': 'a' })
    await client.close()
  })

  test('that are refused again are the caller’s to know [N07-XHDR-06]', async () => {
    const { server, client } = await openLinked()
    const calling = client.callTool('mirrored', { tenant: 'acme' })
    calling.catch(() => undefined)
    await server.reject('tools/call', { code: -32020, message: 'no' })
    await server.answer('tools/list', { tools: [] })
    await server.reject('tools/call', { code: -32020, message: 'no' })

    await expect(calling).rejects.toMatchObject({ code: 'header_mismatch' })
    expect(await server.quiet()).toEqual([])
    await client.close()
  })

  test('are read past the cache when they were refused', async () => {
    const { server, client } = await openLinked()
    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools: [mirrored('Old')], ttlMs: 100_000 })
    await listing
    const calling = client.callTool('mirrored', { tenant: 'acme' })
    await server.reject('tools/call', { code: -32020, message: 'no' })
    await server.answer('tools/list', { tools: [mirrored('New')], ttlMs: 100_000 })
    await server.answer('tools/call', { content: [] })

    expect(await calling).toEqual({ content: [] })
    await client.close()
  })

  test('are not the reason of such a refusal where there are none', async () => {
    const server = openStandalone({ kind: 'stdio' })
    const client = await server.discovered()
    const calling = client.callTool('mirrored')
    calling.catch(() => undefined)
    await server.reject('tools/call', { code: -32020, message: 'no' })

    await expect(calling).rejects.toMatchObject({ code: 'header_mismatch' })
    expect(await server.quiet()).toEqual([])
    await client.close()
  })
})

test('no stream of notifications is needed where requests stand for themselves', async () => {
  const { server, client, link } = await openLinked()

  expect(link().needsStream()).toBe(false)
  expect(server.received).toHaveLength(1)
  await client.close()
})

/** A client over what it takes for HTTP, with what it tells the transport. */
async function openLinked() {
  const [near, far] = createTransportPair({ text: true })
  const links: TransportLink[] = []
  const server = openRawServer(far, '2025-11-25', () =>
    createClient(
      (given) => {
        links.push(given)
        return { ...near, kind: 'http' }
      },
      { onError: () => undefined, onLog: () => undefined },
      { revisions: bothEras },
    ),
  )
  await server.answer('server/discover', serverInfo())
  const link = (): TransportLink => links[0] as TransportLink
  return { server, client: await server.client, link }
}

import { isMcpError, isRpcError, McpError, RpcError, type RpcErrorCode } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { wireCodes } from '../../src/rpc/errors/rpc-error.ts'
import { decodeWireError } from '../../src/wire/error-codes.ts'
import { codes20260728 } from '../../src/wire/modern-codec.ts'
import { codecFor } from '../../src/wire/revisions.ts'
import { createEverything } from '../support/everything.ts'
import { describeEntries } from '../support/http-endpoint.ts'
import { describeStandalone } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'

const everything: [string, object][] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['tools/call', { name: 'count' }],
  ['tools/call', { name: 'blocks' }],
  ['tools/call', { name: 'fail' }],
  ['tools/call', { name: 'forecast', arguments: { city: 'Oslo' } }],
  ['tools/call', { name: 'forecast' }],
  ['prompts/get', { name: 'review', arguments: { code: 'x' } }],
  ['resources/read', { uri: 'notes://fixed' }],
  ['resources/read', { uri: 'notes://7' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'code', value: '' } },
  ],
]

describeStandalone('a result', ({ open }) => {
  test('says what kind it is, whatever was asked [N07-RES-01]', async () => {
    const client = await open(createEverything())

    for (const [method, params] of everything) {
      const { result } = await client.request(method, params)
      expect([method, result?.['resultType']]).toEqual([method, 'complete'])
    }
  })

  test('of a method of an extension does too, empty as it is [N07-RES-01]', async () => {
    const nothing = { id: 'com.example/nothing', methods: { 'com.example/do': () => ({}) } }
    const server = createServer({ name: 'extended', version: '1', extensions: [nothing] })
    const client = await open(server)

    const capabilities = { extensions: { 'com.example/nothing': {} } }
    const { result } = await client.request('com.example/do', {}, { capabilities })

    expect(result).toMatchObject({ resultType: 'complete' })
  })

  test('that asks says so [N07-RES-01]', async () => {
    const client = await open(createEverything())

    const capabilities = { roots: {} }
    const { result } = await client.request('tools/call', { name: 'look' }, { capabilities })

    expect(result).toMatchObject({ resultType: 'input_required' })
  })
})

const codes: readonly RpcErrorCode[] = Object.keys(wireCodes) as RpcErrorCode[] // its own keys

test('no error has a number that is given up or reserved [N07-ERR-01, N07-ERR-02, N07-ERR-04, N07-T-03, N07-T-07]', () => {
  const codec = codecFor('2026-07-28', ['2026-07-28'])
  const defined = new Set([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022])

  for (const code of codes) {
    const sent = codec?.encodeError(new RpcError(code, 'x')).code ?? NaN
    const isOutside = sent > -32000 || sent < -32768
    expect([code, defined.has(sent) || isOutside]).toEqual([code, true])
  }
  expect(Object.keys(codes20260728)).toEqual(Object.keys(wireCodes))
})

test.each([-32002, -32042, -32000, -32001, -32019, -32023, -32050, -32099])(
  'an author, or a server behind ours, cannot make us send %i [N07-ERR-01, N07-ERR-02]',
  (wireCode) => {
    const codec = codecFor('2026-07-28', ['2026-07-28'])

    const sent = codec?.encodeError(new RpcError('other', 'x', { wireCode, data: { a: 1 } }))

    expect(sent).toEqual({ code: -32603, message: 'x', data: { a: 1 } })
  },
)

test('a number of an author lies where it likes outside of that [N07-ERR-04]', () => {
  const codec = codecFor('2026-07-28', ['2026-07-28'])

  for (const wireCode of [1, -1, 404, -31999, -32769]) {
    expect(codec?.encodeError(new RpcError('other', 'x', { wireCode })).code).toBe(wireCode)
  }
})

test('numbers of old mean nothing, but for a resource that is not there [N07-ERR-03, N07-RSC-02]', () => {
  for (const code of [-32000, -32001, -32003, -32004, -32019]) {
    expect(decodeWireError({ code, message: 'x' }).code).toBe('other')
  }
  expect(decodeWireError({ code: -32002, message: 'x' }).code).toBe('resource_not_found')
})

test('what fails here is told from what the peer says [N07-ERR-05]', () => {
  const local = new McpError('timeout', 'x', { details: { limit: 'idle', ms: 1 } })
  const received = decodeWireError({ code: -32603, message: 'x' })

  expect([isMcpError(local), isRpcError(local)]).toEqual([true, false])
  expect([isMcpError(received), isRpcError(received)]).toEqual([false, true])
})

function createFailing(): Server {
  const server = createServer({ name: 'fails', version: '1', onError: () => undefined })
  server.tool('rpc', {}, () => {
    throw new RpcError('other', 'own', { wireCode: 7 })
  })
  server.tool('old', {}, () => {
    throw new RpcError('other', 'own', { wireCode: -32002 })
  })
  server.tool('need', {}, async (_, context) => JSON.stringify(await context.listRoots()))
  server.tool('late', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    return JSON.stringify(await context.listRoots())
  })
  server.prompt('broken', {}, () => {
    throw new Error('secret')
  })
  server.resource('notes://{id}', {}, () => null)
  return server
}

describeStandalone('an error', ({ open }) => {
  test.each<[string, string, object, number]>([
    ['an unknown method', 'com.example/none', {}, -32601],
    ['an unknown tool', 'tools/call', { name: 'none' }, -32602],
    ['an unknown prompt', 'prompts/get', { name: 'none' }, -32602],
    ['a resource that is not there', 'resources/read', { uri: 'notes://1' }, -32602],
    ['a bad cursor', 'tools/list', { cursor: 'mine' }, -32602],
    ['params that do not fit', 'tools/call', { name: 1 }, -32602],
    ['a state that is not ours', 'tools/call', { name: 'rpc', requestState: 'x' }, -32602],
    ['a fault inside', 'prompts/get', { name: 'broken' }, -32603],
    ["an author's own", 'tools/call', { name: 'rpc' }, 7],
    ['a number of old', 'tools/call', { name: 'old' }, -32603],
    ['a capability that is missing', 'tools/call', { name: 'need' }, -32021],
  ])('for %s [N07-ERR-01]', async (_, method, params, code) => {
    const client = await open(createFailing())

    const { error } = await client.request(method, params)

    expect(error).toMatchObject({ code })
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})

describeEntries('the status of an error', (entry) => {
  test.each<[string, string, object, number, number]>([
    ['an unknown method', 'com.example/none', {}, 404, -32601],
    ['a method that is no more', 'ping', {}, 404, -32601],
    ['an unknown tool', 'tools/call', { name: 'none' }, 200, -32602],
    ['a resource that is not there', 'resources/read', { uri: 'notes://1' }, 200, -32602],
    ['a state that is not ours', 'tools/call', { name: 'rpc', requestState: 'x' }, 200, -32602],
    ['a fault inside', 'prompts/get', { name: 'broken' }, 200, -32603],
    ["an author's own", 'tools/call', { name: 'rpc' }, 200, 7],
    ['a capability that is missing', 'tools/call', { name: 'need' }, 400, -32021],
  ])('for %s [N07-ENV-06, N07-DISC-03]', async (_, method, params, status, code) => {
    await using endpoint = await openStandaloneEndpoint(entry, createFailing())

    expect(await endpoint.ask2026(method, params)).toMatchObject({ status, id: 1, error: { code } })
  })

  test.each<[string, string, number]>([
    ['no JSON', '{', -32700],
    ['a batch', '[]', -32600],
    ['no request', '{"jsonrpc":"2.0","id":1}', -32600],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600],
  ])('for a body that is %s is 400', async (_, body, code) => {
    await using endpoint = await openStandaloneEndpoint(entry, createFailing(), {
      revisions: ['2026-07-28'],
    })

    const response = await endpoint.post(body, {
      headers: { 'mcp-protocol-version': '2026-07-28' },
    })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test('that comes after something else stays in the stream', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createFailing())

    const answer = await endpoint.ask2026(
      'tools/call',
      { name: 'late' },
      { meta: { progressToken: 1 } },
    )

    expect(answer).toMatchObject({
      status: 200,
      before: [{ method: 'notifications/progress' }],
      error: { code: -32021 },
    })
  })
})

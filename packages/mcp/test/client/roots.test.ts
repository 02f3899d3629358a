import type { Client } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { toRoots } from '../../src/client/input/roots.ts'
import { describeServer } from '../support/matrix.ts'

describeServer('roots', ({ connect, rawServer, rawClient }) => {
  test('are declared by a client that has some, with their changes [ROOT-01, ROOT-02]', async () => {
    const server = rawServer({ roots: [] })

    const { params } = await server.expect('initialize')

    expect(params?.['capabilities']).toEqual({ roots: { listChanged: true } })
    await server.close()
  })

  test('are all in one answer, names included [ROOT-03, ROOT-05]', async () => {
    const server = rawServer({
      roots: ['/home/me/my project', new URL('file:///data'), { uri: 'file:///x', name: 'X' }],
    })
    const client = await server.accept()

    server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    const { result } = await server.next(({ id }) => id === 1)

    expect(result).toEqual({
      roots: [
        { uri: 'file:///home/me/my%20project' },
        { uri: 'file:///data' },
        { uri: 'file:///x', name: 'X' },
      ],
    })
    await client.close()
  })

  test('are told about when they change, and then read anew [ROOT-04, ROOT-20]', async () => {
    const server = createServer({ name: 'files', version: '1.0.0' })
    server.tool('look', {}, async (_, context) =>
      (await context.listRoots()).map(({ uri }) => uri).join(),
    )
    const frames: string[] = []
    await using client = await connect(server, {
      roots: ['/a'],
      onMessage: ({ direction, message }) => frames.push(`${direction} ${JSON.stringify(message)}`),
    })

    const before = await poll(client)
    await client.setRoots(['/a', '/b'])
    const after = await poll(client)

    expect(before).toBe('file:///a')
    expect(after).toBe('file:///a,file:///b')
    expect(frames).toContain('out {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')
  })

  test('may be replaced by a function, which is asked each time [ROOT-04]', async () => {
    const server = createServer({ name: 'files', version: '1.0.0' })
    server.tool('look', {}, async (_, context) =>
      (await context.listRoots()).map(({ uri }) => uri).join(),
    )
    const frames: string[] = []
    await using client = await connect(server, {
      roots: ['/a'],
      onMessage: ({ message }) => frames.push(JSON.stringify(message)),
    })
    let asked = 0

    await client.setRoots(() => [{ uri: `file:///asked/${(asked += 1)}` }])

    expect(await poll(client)).toBe('file:///asked/1')
    expect(await poll(client)).toBe('file:///asked/2')
    expect(frames).toContain('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')
  })

  test('that have disappeared are no fault of the server [ROOT-12]', async () => {
    const server = createServer({ name: 'files', version: '1.0.0' })
    server.tool('look', {}, async (_, context) => `${(await context.listRoots()).length}`)
    await using client = await connect(server, { roots: ['/a'] })

    const before = await poll(client)
    await client.setRoots([])

    expect(before).toBe('1')
    expect(await poll(client)).toBe('0')
  })

  test('are asked for each time, so that none is stale [ROOT-20]', async () => {
    const server = createServer({ name: 'files', version: '1.0.0' })
    server.tool('look', {}, async (_, context) => `${(await context.listRoots())[0]?.uri}`)
    let asked = 0
    await using client = await connect(server, {
      roots: () => [{ uri: `file:///${(asked += 1)}` }],
    })

    expect(await poll(client)).toBe('file:///1')
    expect(await poll(client)).toBe('file:///2')
  })

  test('are not asked of a client without them [ROOT-19]', async () => {
    const server = createServer({ name: 'files', version: '1.0.0' })
    server.tool('look', {}, async (_, context) => `${(await context.listRoots()).length}`)
    const client = await rawClient(server)

    const { result } = await client.request('tools/call', { name: 'look' })

    expect(result).toMatchObject({ isError: true })
    expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
    await client.close()
  })

  test('that a client does not have are a method it does not know [ROOT-06]', async () => {
    const server = rawServer()
    const client = await server.accept()

    server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    const { error } = await server.next(({ id }) => id === 1)

    expect(error?.code).toBe(-32601)
    await client.close()
  })

  test.each([
    ['throws', () => Promise.reject(new Error('the secret disk is gone'))],
    ['gives what is no root', () => [{ uri: 'https://example.com' }]],
    ['gives a way out', () => [{ uri: 'file:///a/../../etc' }]],
  ])(
    'are an internal error if the function for them %s [ROOT-07, ROOT-05, ROOT-09]',
    async (_, roots) => {
      const reports: unknown[] = []
      const server = rawServer({ roots, onError: (error) => reports.push(error) })
      const client = await server.accept()

      server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
      const { error } = await server.next(({ id }) => id === 1)

      expect(error).toEqual({ code: -32603, message: 'roots/list failed' })
      expect(reports).toHaveLength(1)
      await client.close()
    },
  )

  test('cannot be set by a client that declared none, and nothing is sent [ROOT-01]', async () => {
    const server = rawServer()
    const client = await server.accept()

    await expect(client.setRoots(['/a'])).rejects.toMatchObject({
      code: 'unsupported',
      hint: expect.stringContaining('roots: []'),
    })
    const methods = (await server.quiet()).map(({ method }) => method)
    expect(methods).not.toContain('notifications/roots/list_changed')
    await client.close()
  })

  test('that are refused leave the old ones in place [ROOT-09]', async () => {
    const server = rawServer({ roots: ['/a'] })
    const client = await server.accept()

    await expect(client.setRoots(['/b/../..'])).rejects.toMatchObject({ code: 'invalid_target' })
    server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    const { result } = await server.next(({ id }) => id === 1)

    expect(result).toEqual({ roots: [{ uri: 'file:///a' }] })
    await client.close()
  })
})

describe('a root', () => {
  test.each([
    ['/home/me', 'file:///home/me'],
    ['/with space/and#hash?and%', 'file:///with%20space/and%23hash%3Fand%25'],
    ['C:\\Users\\me', 'file:///C:/Users/me'],
    ['\\\\host\\share', 'file://host/share'],
    ['file:///as/it/is', 'file:///as/it/is'],
    ['/dots.in..names...', 'file:///dots.in..names...'],
  ])('may be the path %s [ROOT-05]', (path, uri) => {
    expect(toRoots([path])).toEqual([{ uri }])
  })

  test.each([
    'https://example.com',
    'relative/path',
    'file:relative',
    '',
    '/a/../b',
    'file:///a/../b',
    'file:///a/%2e%2e/b',
    'file:///a/%2E./b',
    'file:///a%2f..%2fb',
    'file:///a%5c..%5cb',
    'C:\\a\\..\\b',
    '/..',
  ])('may not be %j [ROOT-05, ROOT-09]', (root) => {
    expect(() => toRoots([root])).toThrow(expect.objectContaining({ code: 'invalid_target' }))
  })
})

async function poll(client: Client): Promise<unknown> {
  const { content } = await client.callTool('look')
  return content[0]?.type === 'text' ? content[0].text : undefined
}

import { type ErrorReport, RpcError } from '@parley/mcp'
import { connect as connectTo } from '@parley/mcp/client'
import { createServer, type Server, serveTransport } from '@parley/mcp/server'
import { createTestClient, createTransportPair, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { describeMatrix } from '../support/matrix.ts'

const isAdmin = ({ auth }: { auth?: { subject: string } }): boolean => auth?.subject === 'admin'

function secretServer(): Server {
  const server = createServer({ name: 'secret', version: '1', onError: () => undefined })
  const visible = isAdmin
  server.tool('open', {}, () => 'open')
  server.tool('secret', { visible }, () => 'secret')
  server.resource('open://1', {}, () => 'open')
  server.resource('secret://1', { visible }, () => 'secret')
  server.resource('secret://{b}/{c}', { visible: async (context) => isAdmin(context) }, () => 's')
  server.prompt('open', {}, () => 'open')
  server.prompt('secret', { visible }, () => 'secret')
  server.resource(
    'user://{name}',
    {
      list: ({ auth }) => [{ uri: `user://${auth?.subject}`, name: auth?.subject ?? '' }],
    },
    ({ name }) => name,
  )
  return server
}

describeMatrix('what a caller may not see', ({ connect, rawClient }) => {
  test('is not listed to them, and to others it is [TOOL-21, PROMPT-16]', async () => {
    const server = secretServer()
    await using guest = await connect(server, { auth: testAuth({ subject: 'guest' }) })
    await using admin = await connect(server, { auth: testAuth({ subject: 'admin' }) })
    const listed = async (client: typeof guest): Promise<string[]> => [
      ...(await client.listTools().toArray()).map(({ name }) => name),
      ...(await client.listPrompts().toArray()).map(({ name }) => name),
      ...(await client.listResources().toArray()).map(({ uri }) => uri),
      ...(await client.listResourceTemplates().toArray()).map(({ uriTemplate }) => uriTemplate),
    ]

    expect(await listed(guest)).toEqual([
      'open',
      'open',
      'open://1',
      'user://guest',
      'user://{name}',
    ])
    expect(await listed(admin)).toEqual([
      'open',
      'secret',
      'open',
      'secret',
      'open://1',
      'secret://1',
      'user://admin',
      'secret://{b}/{c}',
      'user://{name}',
    ])
  })

  test('is the same as what does not exist, in every way [TOOL-21]', async () => {
    const client = await rawClient(secretServer())
    const answers = async (name: string): Promise<unknown> => {
      const found = [
        await client.request('tools/call', { name }),
        await client.request('prompts/get', { name }),
        await client.request('resources/read', { uri: `${name}://1` }),
        await client.request('resources/read', { uri: `${name}://1/2` }),
        await client.request('resources/subscribe', { uri: `${name}://1` }),
      ]
      return JSON.parse(JSON.stringify(found.map(({ error }) => error)).replaceAll(name, 'it'))
    }

    expect(await answers('secret')).toEqual(await answers('nothing'))
    await client.close()
  })
})

describeMatrix('scopes', ({ connect }) => {
  test('are asked of a verified caller before the handler runs, and not of the local user [TOOL-21]', async () => {
    let runs = 0
    const server = createServer({ name: 'scoped', version: '1' })
    server.tool('write', { scopes: ['notes:write', 'notes:read'] }, () => `${(runs += 1)}`)
    server.prompt('write', { scopes: ['notes:write'] }, () => `${(runs += 1)}`)
    server.tool(
      'by_argument',
      { inputSchema: z.object({ id: z.string() }), scopes: ({ id }) => [`note:${id}`] },
      () => `${(runs += 1)}`,
    )
    server.tool('inside', {}, (_, context) => {
      context.requireScopes(['admin'])
      return `${(runs += 1)}`
    })
    const reader = testAuth({ scopes: ['notes:read', 'note:1'] })
    await using client = await connect(server, { auth: reader })
    await using local = await connect(server)

    expect(await client.listTools().toArray()).toHaveLength(3)
    await expect(client.callTool('write')).rejects.toMatchObject({
      code: 'insufficient_scope',
      data: { scopes: ['notes:write'] },
    })
    await expect(client.getPrompt('write')).rejects.toMatchObject({ code: 'insufficient_scope' })
    await expect(client.callTool('by_argument', { id: '2' })).rejects.toMatchObject({
      data: { scopes: ['note:2'] },
    })
    await expect(client.callTool('inside')).rejects.toMatchObject({ code: 'insufficient_scope' })
    expect(runs).toBe(0)
    await client.callTool('by_argument', { id: '1' })
    await local.callTool('write')
    await local.callTool('inside')
    expect(runs).toBe(3)
  })
})

describe('app', () => {
  test('runs once for each operation, before middleware, with what is known of the request', async () => {
    const seen: unknown[] = []
    const server = createServer({
      name: 'app',
      version: '1',
      app({ operation, revision, client, auth, meta }) {
        seen.push([operation, revision, client.info?.name, auth?.subject, meta['example.com/a']])
        return { user: auth?.subject }
      },
    })
    server.use((_, next) => (seen.push('layer'), next()))
    server.tool('who', {}, (_, { app }) => app.user ?? 'nobody')
    await using client = await createTestClient(server, {
      caller: testAuth({ subject: 'alice' }),
      info: { name: 'guest', version: '1' },
    })

    const result = await client.callTool('who', {}, { _meta: { 'example.com/a': 1 } })
    await client.ping()
    await client.setLoggingLevel('error')

    expect(result).toMatchObject({ content: [{ text: 'alice' }] })
    expect(seen).toEqual([['tools/call', '2026-07-28', 'guest', 'alice', 1], 'layer'])
  })

  test('may refuse every operation, lists included', async () => {
    const server = createServer({
      name: 'app',
      version: '1',
      app: async () => {
        throw new RpcError('unauthorized', 'no account for this token')
      },
    })
    server.tool('who', {}, () => 'nobody')
    server.resource('a://b', {}, () => 'b')
    await using client = await createTestClient(server, { revision: '2025-11-25' })

    const rejected = { code: 'unauthorized', message: 'no account for this token' }
    await expect(client.listTools().toArray()).rejects.toMatchObject(rejected)
    await expect(client.callTool('who')).rejects.toMatchObject(rejected)
    await expect(client.request('resources/subscribe', { uri: 'a://b' })).rejects.toMatchObject(
      rejected,
    )
  })

  test('that fails is masked', async () => {
    const server = createServer({
      name: 'app',
      version: '1',
      onError: () => undefined,
      app: () => {
        throw new Error('password=hunter2')
      },
    })
    server.tool('who', {}, () => 'nobody')
    await using client = await createTestClient(server)

    const rejected: unknown = await client.callTool('who').catch((error: unknown) => error)

    expect(rejected).toMatchObject({ code: 'internal_error' })
    expect(String(rejected)).not.toContain('hunter2')
  })
})

describe('a fault', () => {
  const cause = new Error('password=hunter2')
  const fail = (): never => {
    throw cause
  }
  const server = (onError: (error: unknown, report: ErrorReport) => void): Server => {
    const failing = createServer({ name: 'faults', version: '1', onError })
    failing.tool('fail', {}, fail)
    failing.tool('hidden', { visible: fail }, () => '')
    failing.resource('fail://1', {}, fail)
    failing.prompt('fail', {}, fail)
    failing.resource('fail://{a}/{b}', { list: fail, complete: { a: fail } }, () => '')
    return failing
  }

  test('reaches the caller as an id, and the author with the same id and its cause', async () => {
    const reports: [unknown, ErrorReport][] = []
    const failing = server((error, report) => void reports.push([error, report]))
    await using client = await createTestClient(failing)
    const outcomes: unknown[] = [
      await client.callTool('fail'),
      await client.callTool('hidden').catch((error: unknown) => error),
      await client.readResource('fail://1').catch((error: unknown) => error),
      await client.getPrompt('fail').catch((error: unknown) => error),
      await client
        .listResources()
        .toArray()
        .catch((error: unknown) => error),
      await client
        .complete({ type: 'ref/resource', uri: 'fail://{a}/{b}' }, { name: 'a', value: '' })
        .catch((error: unknown) => error),
    ]

    expect(reports.map(([, { operation }]) => operation)).toEqual([
      'tools/call',
      'tools/call',
      'resources/read',
      'prompts/get',
      'resources/list',
      'completion/complete',
    ])
    const ids = reports.map(([, { correlationId }]) => correlationId)
    expect(new Set(ids).size).toBe(6)
    for (const [index, [error, { severity }]] of reports.entries()) {
      const told = JSON.stringify(outcomes[index]) + String(outcomes[index])
      expect([error, severity]).toEqual([cause, 'error'])
      expect(told).toContain(ids[index])
      expect(told).not.toContain('hunter2')
    }
  })

  test('goes to the onError of a service where it has one', async () => {
    const [own, others]: [unknown[], unknown[]] = [[], []]
    const failing = server((error) => void own.push(error))
    const [near, far] = createTransportPair()
    serveTransport(failing, far, { onError: (error) => void others.push(error) })
    await using client = await connectTo(near)

    await client.callTool('fail')

    expect([own, others]).toEqual([[], [cause]])
  })
})

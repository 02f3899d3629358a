import { RpcError } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createTestClient, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { describeServer } from '../support/matrix.ts'

describeServer('resources', ({ connect, rawClient, rawServer, revision }) => {
  const isCurrent = revision >= '2025-06-18'

  test('are declared with what they can do, only if there are any [RES-01]', async () => {
    const empty = createServer({ name: 'empty', version: '1' })
    const fixed = createServer({ name: 'fixed', version: '1' })
    fixed.resource('a://b', {}, () => 'b')
    const templates = createServer({ name: 'templates', version: '1' })
    templates.resource('a://{b}', {}, () => 'b')
    const clients = [await rawClient(empty), await rawClient(fixed), await rawClient(templates)]

    const declared = clients.map(({ serverInfo }) => serverInfo.result?.['capabilities'])

    expect(declared[0]).not.toHaveProperty('resources')
    expect(declared[1]).toMatchObject({ resources: { subscribe: true, listChanged: true } })
    expect(declared[2]).toMatchObject({ resources: { subscribe: true, listChanged: true } })
    await Promise.all(clients.map((client) => client.close()))
  })

  const description = {
    title: 'The log',
    description: 'What happened today',
    mimeType: 'text/x-log',
    annotations: { audience: ['user'], priority: 1, lastModified: '2025-01-12T15:00:58Z' },
  } as const
  const listed = {
    name: 'log',
    ...(isCurrent && { title: 'The log' }),
    description: 'What happened today',
    mimeType: 'text/x-log',
    annotations: {
      audience: ['user'],
      priority: 1,
      ...(isCurrent && { lastModified: '2025-01-12T15:00:58Z' }),
    },
  }

  test('are listed with all that is known about them [RES-02, RES-11]', async () => {
    const server = createServer({ name: 'lister', version: '1' })
    server.resource('log://today', { name: 'log', size: 3, ...description }, () => 'abc')
    server.resource('inode://home', {}, () => '')
    const client = await rawClient(server)

    const { result } = await client.request('resources/list')

    expect(result).toEqual({
      resources: [
        { uri: 'log://today', size: 3, ...listed },
        { uri: 'inode://home', name: 'inode://home' },
      ],
    })
    await client.close()
  })

  test('that are templates have a list of their own [RES-05, RES-23]', async () => {
    const server = createServer({ name: 'lister', version: '1' })
    server.resource('log://{day}', { name: 'log', ...description }, () => 'abc')
    server.resource('any://{+path}{?page}', {}, () => 'abc')
    const client = await rawClient(server)

    const { result } = await client.request('resources/templates/list')

    expect(result).toEqual({
      resourceTemplates: [
        { uriTemplate: 'log://{day}', ...listed },
        { uriTemplate: 'any://{+path}{?page}', name: 'any://{+path}{?page}' },
      ],
    })
    expect((await client.request('resources/list')).result).toEqual({ resources: [] })
    await client.close()
  })

  test('are read by their URI, of any scheme, listed or not [RES-03]', async () => {
    const server = rawServer()
    const client = await server.accept()
    const contents = [{ uri: 'urn:isbn:0451450523', text: 'The Last Unicorn' }]

    const reading = client.readResource('urn:isbn:0451450523')
    const { params } = await server.answer('resources/read', { contents })

    expect(params).toEqual({ uri: 'urn:isbn:0451450523' })
    expect(await reading).toEqual({ contents })
    await client.close()
  })

  test('answer with contents that say their own URI [RES-04, RES-15]', async () => {
    const server = createServer({ name: 'folder', version: '1' })
    server.resource('file:///project/', { mimeType: 'inode/directory' }, () => [
      { uri: 'file:///project/a.txt', mimeType: 'text/plain', text: 'a' },
      { uri: 'file:///project/b.bin', blob: 'AH//' },
    ])
    const client = await rawClient(server)

    const { result } = await client.request('resources/read', { uri: 'file:///project/' })

    expect(result).toEqual({
      contents: [
        { uri: 'file:///project/a.txt', mimeType: 'text/plain', text: 'a' },
        { uri: 'file:///project/b.bin', blob: 'AH//' },
      ],
    })
    await client.close()
  })

  test('round-trip every byte [RES-21]', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const server = createServer({ name: 'bytes', version: '1' })
    server.resource('bytes://all', {}, () => bytes)
    await using client = await connect(server)

    const [content] = (await client.readResource('bytes://all')).contents

    expect(content).not.toHaveProperty('text')
    const blob = content && 'blob' in content ? content.blob : ''
    expect(new Uint8Array(Buffer.from(blob, 'base64'))).toEqual(bytes)
  })

  test('that do not exist are -32002 and named [RES-17]', async () => {
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('note://{id}', {}, ({ id }) => (id === '1' ? 'one' : undefined))
    const client = await rawClient(server)

    const unlisted = await client.request('resources/read', { uri: 'other://1' })
    const missing = await client.request('resources/read', { uri: 'note://2' })

    expect(unlisted.error).toMatchObject({ code: -32002, data: { uri: 'other://1' } })
    expect(missing.error).toMatchObject({ code: -32002, data: { uri: 'note://2' } })
    await client.close()
  })

  test('that fail are -32603, without the reason [RES-18]', async () => {
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('note://1', {}, () => {
      throw new Error('cannot open /home/alice/notes.db')
    })
    const client = await rawClient(server)

    const { error } = await client.request('resources/read', { uri: 'note://1' })

    expect(error).toMatchObject({
      code: -32603,
      data: { correlationId: expect.any(String) as string },
    })
    expect(JSON.stringify(error)).not.toContain('alice')
    await client.close()
  })

  test('never see a URI that is not theirs, or that climbs out of its place [RES-19]', async () => {
    const seen: unknown[] = []
    const server = createServer({ name: 'files', version: '1' })
    server.resource('file:///srv/{name}', {}, ({ name }) => (seen.push(name), name))
    const client = await rawClient(server)
    const hostile = [
      'file:///srv/../etc/passwd',
      'file:///srv/a/../../etc/passwd',
      'file:///srv/..',
      'file:///srv/%2e%2e',
      'file:///srv/..%2f..%2fetc%2fpasswd',
      'file:///srv/%2e%2e%5cetc',
      'http:///srv/a',
      'FILE:///srv/a b',
      'srv/a',
      '',
    ]

    for (const uri of hostile) {
      const { error } = await client.request('resources/read', { uri })
      expect([-32002, -32602], uri).toContain(error?.code)
    }
    for (const name of ['a%20b', 'a..b', '...', '%2e'])
      await client.request('resources/read', { uri: `file:///srv/${name}` })

    expect(seen).toEqual(['a b', 'a..b', '...', '.'])
    await client.close()
  })

  test('are refused to a caller without the scope, before they are read [RES-20, RES-22]', async () => {
    let reads = 0
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('note://{id}', { scopes: ({ id }) => [`note:${id}`] }, () => `${(reads += 1)}`)
    await using client = await connect(server, { auth: testAuth({ scopes: ['note:1'] }) })

    const allowed = await client.readResource('note://1')
    const rejected = await client.readResource('note://2').catch((error: unknown) => error)

    expect(allowed.contents).toMatchObject([{ text: '1' }])
    expect(rejected).toBeInstanceOf(RpcError)
    expect(rejected).toMatchObject({ code: 'insufficient_scope', data: { scopes: ['note:2'] } })
    expect(reads).toBe(1)
  })
})

describe('the list of a template', () => {
  async function listed(list: () => unknown): Promise<{ uris: unknown; reports: string[] }> {
    const reports: string[] = []
    const onError = (error: unknown): void => void reports.push((error as Error).message)
    const server = createServer({ name: 'rows', version: '1', onError })
    server.resource('fixed://1', {}, () => 'fixed')
    server.resource('row://{id}', { list: list as () => [] }, ({ id }) => id)
    await using client = await createTestClient(server)
    const uris = await client
      .listResources()
      .toArray()
      .then(
        (resources) => resources.map(({ uri }) => uri),
        (error: unknown) => error,
      )
    return { uris, reports }
  }

  test('is sent without what no client can read, of which the server hears', async () => {
    const rows = [{ uri: 'row://1', name: null }, { uri: 'row://2', name: 'two' }, null]
    async function* overTime(): AsyncGenerator {
      yield* rows
    }

    for (const list of [() => rows, async () => rows, overTime]) {
      const { uris, reports } = await listed(list)

      expect(uris).toEqual(['fixed://1', 'row://2'])
      expect(reports).toHaveLength(1)
      expect(reports[0]).toMatch(/^resource row:\/\/\{id\}: .* 0\.name: a string; 2: an object$/)
    }
  })

  test('names a few of many rows that no client can read', async () => {
    const { uris, reports } = await listed(() => Array.from({ length: 9 }, () => ({})))

    expect(uris).toEqual(['fixed://1'])
    expect(reports[0]).toMatch(/4\.uri: a string; and 4 more$/)
  })

  test.each([
    ['{ resources }', { resources: [] }],
    ['text', 'row://1'],
    ['nothing', undefined],
  ])('is a fault if it is %s', async (_, given) => {
    const { uris, reports } = await listed(() => given)

    expect(uris).toMatchObject({ code: 'internal_error' })
    expect(reports[0]).toMatch(/^resource row:\/\/\{id\}: its list must return an array/)
  })
})

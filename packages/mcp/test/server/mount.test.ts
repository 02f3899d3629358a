import { RpcError } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { createTestClient, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { describeServer } from '../support/matrix.ts'

function named(name: string, options: { instructions?: string; title?: string } = {}): Server {
  return createServer({ name, version: '1', onError: () => undefined, ...options })
}

async function toolNames(server: Server): Promise<string[]> {
  await using client = await createTestClient(server)
  return (await client.listTools().toArray()).map(({ name }) => name)
}

describeServer('a mounted server', ({ connect }) => {
  test('is reached under its prefix, resources by their own URI', async () => {
    const inner = named('inner')
    inner.tool('hello', {}, () => 'hello')
    inner.resource('a://{b}', { complete: { b: () => ['c'] } }, ({ b }) => b)
    inner.prompt(
      'ask',
      { argumentsSchema: z.object({ what: z.string() }), complete: { what: () => ['this'] } },
      ({ what }) => what,
    )
    const outer = named('outer')
    outer.mount('in', inner)
    await using client = await connect(outer)

    expect(await client.listTools().toArray()).toMatchObject([{ name: 'in_hello' }])
    expect(await client.listPrompts().toArray()).toMatchObject([{ name: 'in_ask' }])
    expect(await client.listResourceTemplates().toArray()).toMatchObject([
      { uriTemplate: 'a://{b}' },
    ])
    expect(await client.callTool('in_hello')).toMatchObject({ content: [{ text: 'hello' }] })
    expect(await client.getPrompt('in_ask', { what: 'that' })).toMatchObject({
      messages: [{ content: { text: 'that' } }],
    })
    expect(await client.readResource('a://x')).toMatchObject({ contents: [{ text: 'x' }] })
    const suggested = [
      await client.complete({ type: 'ref/prompt', name: 'in_ask' }, { name: 'what', value: '' }),
      await client.complete({ type: 'ref/resource', uri: 'a://{b}' }, { name: 'b', value: '' }),
    ]
    expect(suggested).toEqual([{ values: ['this'] }, { values: ['c'] }])
    await expect(client.callTool('hello')).rejects.toThrow('unknown tool: hello')
    await expect(client.callTool('in_helo')).rejects.toThrow('unknown tool: in_helo')
    await expect(client.getPrompt('in_aks')).rejects.toThrow('unknown prompt: in_aks')
  })
})

describe('what is mounted', () => {
  test('must be a server: a client is told what to write instead', async () => {
    const [outer, inner] = [named('outer'), named('inner')]
    await using client = await createTestClient(inner)
    const mount = outer.mount as (prefix: string, other: unknown) => unknown // as a program without types has it

    expect(() => mount('far', client)).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message:
          'mount "far": this is a client: write await mountClient(server, "far", client), with mountClient of @parley/mcp/server',
      }) as Error,
    )
    for (const other of [undefined, {}, 'server']) {
      expect(() => mount('far', other)).toThrow('mount() takes what createServer() returned')
    }
  })
})

describe('a mounted server', () => {
  test('is live, through any number of mounts', async () => {
    const [deep, inner, outer] = [named('deep'), named('inner'), named('outer')]
    outer.mount('in', inner)
    inner.mount('deep', deep, { separator: '.' })
    outer.tool('own', {}, () => 'own')

    const registration = deep.tool('late', {}, () => 'late')
    expect(await toolNames(outer)).toEqual(['in_deep.late', 'own'])
    registration.remove()
    expect(await toolNames(outer)).toEqual(['own'])
  })

  test('ends with its registration', async () => {
    const [inner, outer] = [named('inner'), named('outer')]
    inner.tool('hello', {}, () => 'hello')
    const registration = outer.mount('in', inner)
    outer.tool('stays', {}, () => 'stays')

    registration.remove()
    inner.tool('other', {}, () => 'other')

    expect(await toolNames(outer)).toEqual(['stays'])
  })

  test('is listed at the place of the mount, whether prepared or dynamic', async () => {
    const [inner, outer] = [named('inner'), named('outer')]
    outer.tool('first', {}, () => '')
    outer.mount('in', inner)
    outer.tool('last', {}, () => '')
    inner.tool('a', {}, () => '')
    inner.tool('b', {}, () => '')

    expect(await toolNames(outer)).toEqual(['first', 'in_a', 'in_b', 'last'])
    outer.use((_, next) => next())
    expect(await toolNames(outer)).toEqual(['first', 'in_a', 'in_b', 'last'])
  })

  test('merges with an empty prefix', async () => {
    const [inner, outer] = [named('inner'), named('outer')]
    inner.tool('hello', {}, () => 'hello')
    outer.mount('', inner)
    await using client = await createTestClient(outer)

    expect(await client.callTool('hello')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('cannot clash, neither when it is mounted nor later, on either side', () => {
    const [inner, outer] = [named('inner'), named('outer')]
    inner.tool('a', {}, () => '')
    inner.resource('a://b', {}, () => '')
    outer.tool('in_a', {}, () => '')
    expect(() => outer.mount('in', inner)).toThrow('tool "in_a": outer has it already')
    outer.mount('other', inner)
    expect(() => outer.tool('other_a', {}, () => '')).toThrow('other_a')
    expect(() => outer.resource('a://b', {}, () => '')).toThrow('a://b')
    outer.tool('other_b', {}, () => '')
    expect(() => inner.tool('b', {}, () => '')).toThrow('outer has it already')

    expect(() => inner.tool('c', {}, () => '')).not.toThrow()
  })

  test('cannot contain itself', () => {
    const [one, two, three] = [named('one'), named('two'), named('three')]
    one.mount('two', two)
    two.mount('three', three)

    expect(() => one.mount('one', one)).toThrow('a server cannot contain itself')
    expect(() => three.mount('one', one)).toThrow('a server cannot contain itself')
  })

  test('cannot have a prefix that makes no name', () => {
    expect(() => named('outer').mount('my server', named('inner'))).toThrow('my server')
  })

  test('runs its own app and middleware, inside those of the outer server', async () => {
    const seen: string[] = []
    const inner = createServer({
      name: 'inner',
      version: '1',
      app: ({ auth }) => {
        seen.push('inner app')
        return { user: auth?.subject ?? 'nobody' }
      },
    })
    inner.use((_, next) => (seen.push('inner layer'), next()))
    inner.tool('who', { visible: ({ app }) => app.user !== 'bob' }, (_, { app }) => app.user)
    const outer = createServer({
      name: 'outer',
      version: '1',
      app: () => (seen.push('outer app'), { other: 1 }),
    })
    outer.use((_, next) => (seen.push('outer layer'), next()))
    outer.mount('in', inner)
    await using alice = await createTestClient(outer, { caller: testAuth({ subject: 'alice' }) })
    await using bob = await createTestClient(outer, { caller: testAuth({ subject: 'bob' }) })

    expect(await alice.callTool('in_who')).toMatchObject({ content: [{ text: 'alice' }] })
    expect(seen).toEqual(['outer app', 'outer layer', 'inner app', 'inner layer'])
    expect(await alice.listTools().toArray()).toMatchObject([{ name: 'in_who' }])
    expect(await bob.listTools().toArray()).toEqual([])
    await expect(bob.callTool('in_who')).rejects.toThrow('unknown tool: in_who')
  })

  test('refuses by its own app also where only lists are asked for', async () => {
    const inner = createServer({
      name: 'inner',
      version: '1',
      app: () => {
        throw new RpcError('unauthorized', 'no account')
      },
    })
    inner.tool('hello', {}, () => 'hello')
    const outer = named('outer')
    outer.mount('in', inner)
    await using client = await createTestClient(outer)

    await expect(client.listTools().toArray()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(client.callTool('in_hello')).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('lends its instructions to an outer server that has none', async () => {
    const one = named('one', { instructions: 'Use one.' })
    const two = named('two', { instructions: 'Use two.', title: 'Second' })
    const outer = named('outer')
    outer.mount('one', one)
    outer.mount('two', two)
    outer.mount('silent', named('silent'))
    const own = named('own', { instructions: 'Mine.' })
    own.mount('one', one)
    await using lent = await createTestClient(outer)
    await using kept = await createTestClient(own)

    expect(lent.server.instructions).toBe('## one\n\nUse one.\n\n## Second\n\nUse two.')
    expect(kept.server.instructions).toBe('Mine.')
  })

  test('is served by itself as well', async () => {
    const [inner, outer] = [named('inner'), named('outer')]
    inner.tool('hello', {}, () => 'hello')
    outer.mount('in', inner)

    expect([await toolNames(inner), await toolNames(outer)]).toEqual([['hello'], ['in_hello']])
  })

  test('hides one resource without hiding another of the same URI', async () => {
    const inner = named('inner')
    inner.resource('a://{b}', { visible: () => false }, () => 'hidden')
    const outer = named('outer')
    outer.mount('in', inner)
    outer.resource('a://{+path}', {}, () => 'seen')
    await using client = await createTestClient(outer)

    expect(await client.readResource('a://b')).toMatchObject({ contents: [{ text: 'seen' }] })
  })
})

import { createServer, defineTool, type Server } from '@parley/mcp/server'
import { createTestClient, createVirtualClock, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { describeServer } from '../support/matrix.ts'

function fullServer(): Server {
  const server = createServer({ name: 'live', version: '1' })
  server.tool('tool', {}, () => 'tool')
  server.resource('a://b', {}, () => 'resource')
  server.prompt('prompt', {}, () => 'prompt')
  return server
}

describeServer('a change', ({ rawClient }) => {
  test('of a list is told once per kind in 50 ms, without parameters [TOOL-10, RES-06, PROMPT-06]', async () => {
    const clock = createVirtualClock()
    const server = fullServer()
    const client = await rawClient(server, { clock })
    await client.quiet()

    for (let index = 0; index < 20; index += 1) {
      server.tool(`tool_${index}`, {}, () => 'tool')
      server.resource(`a://${index}`, {}, () => 'resource')
    }
    server.prompt('another', {}, () => 'prompt')
    await clock.advance(49)
    expect(await client.quiet()).toEqual([])
    await clock.advance(1)
    const told = await client.quiet()

    expect(told).toHaveLength(3)
    expect(told).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
        { jsonrpc: '2.0', method: 'notifications/resources/list_changed' },
        { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' },
      ]),
    )
    await clock.advance(1_000)
    expect(await client.quiet()).toEqual([])
    await client.close()
  })

  test('is told for an update, a removal and notifyChanged', async () => {
    const clock = createVirtualClock()
    const server = fullServer()
    const registration = server.tool('other', {}, () => 'other')
    const client = await rawClient(server, { clock })
    const told = async (): Promise<unknown[]> => {
      await clock.advance(50)
      return (await client.quiet()).map(({ method }) => method)
    }
    await told()

    registration.update({ description: 'changed' })
    expect(await told()).toEqual(['notifications/tools/list_changed'])
    registration.remove()
    expect(await told()).toEqual(['notifications/tools/list_changed'])
    server.notifyChanged('prompts')
    expect(await told()).toEqual(['notifications/prompts/list_changed'])
    await client.close()
  })

  test('is not told for an update that does not show, or for what has gone', async () => {
    const clock = createVirtualClock()
    const server = fullServer()
    const registration = server.tool('other', { description: 'same' }, () => 'other')
    const client = await rawClient(server, { clock })
    await clock.advance(50)
    await client.quiet()

    registration.update({ timeoutMs: 5, description: 'same' })
    await clock.advance(50)
    expect(await client.quiet()).toEqual([])
    registration.remove()
    await clock.advance(50)
    await client.quiet()
    registration.remove()
    registration.update({ description: 'changed' })
    await clock.advance(50)

    expect(await client.quiet()).toEqual([])
    await client.close()
  })

  test('is not told before the client has confirmed the handshake', async () => {
    const clock = createVirtualClock()
    const server = fullServer()
    const client = await rawClient(server, { clock, silent: true })
    await client.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'slow', version: '1' },
    })

    server.notifyChanged('tools')
    await clock.advance(50)
    expect(await client.quiet()).toEqual([])
    client.notify('notifications/initialized')
    await client.quiet()
    server.notifyChanged('tools')
    await clock.advance(50)

    expect(await client.quiet()).toHaveLength(1)
    await client.close()
  })
})

describe('a definition', () => {
  test('changes while it is served', async () => {
    const server = fullServer()
    await using client = await createTestClient(server)
    const greet = (): string => 'hello'

    const registration = server.tool('greet', {}, greet)
    expect(await client.callTool('greet')).toMatchObject({ content: [{ text: 'hello' }] })
    registration.update({ inputSchema: z.object({ name: z.string() }) })
    expect(await client.callTool('greet')).toMatchObject({ isError: true })
    registration.remove()
    await expect(client.callTool('greet')).rejects.toMatchObject({ code: 'invalid_params' })
    server.tool('greet', {}, () => 'hello again')

    expect(await client.callTool('greet')).toMatchObject({ content: [{ text: 'hello again' }] })
  })

  test('keeps what it had when an update cannot work', async () => {
    const server = fullServer()
    const registration = server.tool('greet', {}, () => 'hello')
    await using client = await createTestClient(server)

    expect(() => registration.update({ inputSchema: { type: 'string' } as never })).toThrow(
      'its root must have type "object"',
    )

    expect(await client.callTool('greet')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('changes under those it is mounted in, also where no list shows it', async () => {
    const inner = createServer({ name: 'inner', version: '1' })
    const scoped = inner.tool('scoped', {}, () => 'inner')
    const server = fullServer()
    server.mount('inner', inner)
    await using client = await createTestClient(server, { caller: testAuth() })
    await client.callTool('inner_scoped')

    scoped.update({ scopes: ['admin'] })

    await expect(client.callTool('inner_scoped')).rejects.toMatchObject({
      code: 'insufficient_scope',
    })
  })

  test('adds all of several features or none', async () => {
    const server = fullServer()
    await using client = await createTestClient(server)
    const one = defineTool('one', {}, () => 'one')
    const two = defineTool('two', {}, () => 'two')
    const names = async (): Promise<string[]> =>
      (await client.listTools().toArray()).map(({ name }) => name)

    expect(() => server.add(one, one)).toThrow('has it already')
    expect(await names()).toEqual(['tool'])
    const registration = server.add(one, two)
    expect(await names()).toEqual(['tool', 'one', 'two'])
    registration.remove()

    expect(await names()).toEqual(['tool'])
  })

  test('takes back with using what it was given', async () => {
    const server = fullServer()
    await using client = await createTestClient(server)
    {
      using _ = server.tool('greet', {}, () => 'hello')
      expect(await client.listTools().toArray()).toHaveLength(2)
    }

    expect(await client.listTools().toArray()).toHaveLength(1)
  })

  test('lets a running call end with the feature it began with', async () => {
    let finish = (): void => undefined
    const started = new Promise<void>((resolve) => (finish = resolve))
    let release = (_: string): void => undefined
    const server = fullServer()
    const outputSchema = z.object({ n: z.number() })
    const registration = server.tool('slow', { outputSchema }, async () => {
      finish()
      return { n: Number(await new Promise<string>((resolve) => (release = resolve))) }
    })
    await using client = await createTestClient(server)

    const calling = client.callTool('slow', {}, { timeouts: {} })
    await started
    registration.update({ description: 'changed' })
    registration.remove()
    server.tool('slow', {}, () => 'the other one')
    release('7')

    expect(await calling).toMatchObject({ structuredContent: { n: 7 } })
    expect(await client.callTool('slow')).toMatchObject({ content: [{ text: 'the other one' }] })
  })

  test('is served to any number of callers at once and remembers none', async () => {
    const server = fullServer()
    const clients = await Promise.all(Array.from({ length: 20 }, () => createTestClient(server)))

    server.tool('new', {}, () => 'new')
    const answers = await Promise.all(clients.map((client) => client.callTool('new')))
    await Promise.all(clients.map((client) => client.close()))
    await untilIdle()

    expect(answers).toHaveLength(20)
    expect((server['~definition'] as { listeners: Set<unknown> }).listeners.size).toBe(0)
  })

  test('declares the kinds there are when a caller comes, and those it was told to', async () => {
    const server = createServer({ name: 'growing', version: '1', declares: ['prompts'] })
    await using before = await createTestClient(server)
    server.tool('late', {}, () => 'late')
    await using after = await createTestClient(server)

    expect(before.server.capabilities).toEqual({ logging: {}, prompts: { listChanged: true } })
    expect(after.server.capabilities).toHaveProperty('tools')
    await expect(before.callTool('late')).rejects.toMatchObject({ code: 'unsupported' })
    expect(await before.listPrompts().toArray()).toEqual([])
  })
})

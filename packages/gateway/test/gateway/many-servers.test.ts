import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'

import { everything, officialEverything } from '../programs.ts'
import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const eras = ['legacy', 'modern'] as const

function notes(name: string) {
  const server = createServer({ name, version: '1.0.0', instructions: `Keep ${name}.` })
  server.tool('who', { description: `Says ${name}` }, () => name)
  server.tool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) =>
    String(a + b),
  )
  server.tool('ask', {}, async (_, context) => {
    const answer = await context.elicit({
      message: `${name}?`,
      requestedSchema: z.object({ ok: z.boolean() }),
    })
    return `${name} ${answer.action}`
  })
  server.tool('steps', {}, async (_, context) => {
    await context.progress({ progress: 1, total: 2 })
    await context.progress({ progress: 2, total: 2 })
    return 'done'
  })
  server.resource(`${name}://one`, { name: 'one' }, () => `${name} one`)
  server.resource(`${name}://page/{id}`, { name: 'pages' }, ({ id }) => `${name} page ${id}`)
  server.prompt(
    'greet',
    { argumentsSchema: z.object({ whom: z.string() }) },
    ({ whom }) => `${name} greets ${whom}`,
  )
  return server
}

test.each(eras)(
  'offers what all servers offer, under names of their own (%s)',
  async (protocolVersion) => {
    await using red = await serveTest(notes('red'))
    await using blue = await serveTest(notes('blue'))
    await using gateway = await startTestGateway({
      servers: { red: { url: red.url.href }, blue: { url: blue.url.href } },
    })
    await using client = await open(gateway, { protocolVersion })

    const tools = await client.listTools().toArray()
    expect(tools.map(({ name }) => name)).toEqual([
      'red__who',
      'red__add',
      'red__ask',
      'red__steps',
      'blue__who',
      'blue__add',
      'blue__ask',
      'blue__steps',
    ])
    const prompts = await client.listPrompts().toArray()
    expect(prompts.map(({ name }) => name)).toEqual(['red__greet', 'blue__greet'])
    const resources = await client.listResources().toArray()
    expect(resources.map(({ uri }) => uri)).toEqual(['red://one', 'blue://one', 'gateway://status'])
    const templates = await client.listResourceTemplates().toArray()
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'red://page/{id}',
      'blue://page/{id}',
    ])
    expect(client.server.instructions).toBe('# red\n\nKeep red.\n\n# blue\n\nKeep blue.')
    expect(textOf(await client.callTool('blue__who'))).toBe('blue')
    expect(textOf(await client.callTool('red__add', { a: 1, b: 2 }))).toBe('3')
    const read = await client.readResource('blue://page/7')
    expect(read.contents).toMatchObject([{ text: 'blue page 7' }])
    const greeting = await client.getPrompt('red__greet', { whom: 'you' })
    expect(greeting.messages[0]?.content).toMatchObject({ text: 'red greets you' })
  },
)

test.each(eras)(
  'a question of a server reaches the caller being served (%s)',
  async (protocolVersion) => {
    await using red = await serveTest(notes('red'))
    await using gateway = await startTestGateway({ servers: { red: { url: red.url.href } } })
    const asked: string[] = []
    const answering = (name: string) =>
      open(gateway, {
        protocolVersion,
        elicit: async ({ message }) => {
          asked.push(`${name}: ${message}`)
          return { action: name === 'one' ? 'accept' : 'decline', content: { ok: true } }
        },
      })
    await using one = await answering('one')
    await using two = await answering('two')

    const answers = await Promise.all([one.callTool('red__ask'), two.callTool('red__ask')])

    expect(answers.map(textOf)).toEqual(['red accept', 'red decline'])
    expect(asked.toSorted()).toEqual(['one: red?', 'two: red?'])
  },
)

test.each(eras)('passes progress, cancellation and errors (%s)', async (protocolVersion) => {
  const server = notes('red')
  const aborted = vi.fn()
  server.tool('wait', {}, async (_, { signal }) => {
    await new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted()
        resolve(undefined)
      })
    })
    return 'late'
  })
  await using red = await serveTest(server)
  await using gateway = await startTestGateway({ servers: { red: { url: red.url.href } } })
  await using client = await open(gateway, { protocolVersion })
  const seen: number[] = []
  await client.callTool('red__steps', {}, { onProgress: ({ progress }) => seen.push(progress) })
  expect(seen.at(-1)).toBe(2)

  const controller = new AbortController()
  const waiting = client.callTool('red__wait', {}, { signal: controller.signal })
  waiting.catch(() => undefined)
  setTimeout(() => controller.abort(new Error('enough')), 100)
  await expect(waiting).rejects.toThrow('enough')
  await vi.waitFor(() => expect(aborted).toHaveBeenCalled())

  await expect(client.callTool('red__none')).rejects.toThrow(
    'tools/call: the server "red" has no tool "red__none"',
  )
  await expect(client.callTool('none')).rejects.toThrow(
    'tools/call: this gateway has no tool "none"',
  )
  await expect(client.readResource('green://one')).rejects.toThrow(
    'no server behind this gateway has green://one',
  )
})

test.each(eras)(
  'tells of changes of a resource at whichever server it is (%s)',
  async (protocolVersion) => {
    const redServer = notes('red')
    const blueServer = notes('blue')
    await using red = await serveTest(redServer)
    await using blue = await serveTest(blueServer)
    await using gateway = await startTestGateway({
      servers: { red: { url: red.url.href }, blue: { url: blue.url.href } },
    })
    await using client = await open(gateway, { protocolVersion })
    const changes: string[] = []
    await using subscription = await client.listen({
      resourceSubscriptions: ['blue://one', 'red://one'],
    })
    expect(subscription.accepted.resourceSubscriptions?.toSorted()).toEqual([
      'blue://one',
      'red://one',
    ])
    void (async () => {
      for await (const change of subscription) {
        if (change.type === 'resource') changes.push(change.uri)
      }
    })()

    blueServer.notifyChanged({ uri: 'blue://one' })
    await vi.waitFor(() => expect(changes).toContain('blue://one'))
    redServer.notifyChanged({ uri: 'red://one' })
    await vi.waitFor(() => expect(changes).toContain('red://one'))
  },
)

test.each(eras)(
  'a tool that a server adds is told of, and can be called (%s)',
  async (protocolVersion) => {
    const redServer = notes('red')
    await using red = await serveTest(redServer)
    await using gateway = await startTestGateway({ servers: { red: { url: red.url.href } } })
    await using client = await open(gateway, { protocolVersion })
    const names = async (): Promise<readonly string[]> => {
      const items = await client.listTools().toArray()
      return items.map(({ name }) => name)
    }
    expect(await names()).not.toContain('red__more')
    const changed = vi.fn()
    await using subscription = await client.listen({ toolsListChanged: true })
    void (async () => {
      for await (const change of subscription) changed(change.type)
    })()

    redServer.tool('more', {}, () => 'more')

    await vi.waitFor(() => expect(changed).toHaveBeenCalledWith('tools'))
    await vi.waitFor(async () => expect(await names()).toContain('red__more'))
    expect(textOf(await client.callTool('red__more'))).toBe('more')
  },
)

test.each(eras)(
  'works with commands: ours and the official everything server (%s)',
  async (protocolVersion) => {
    await using gateway = await startTestGateway({
      servers: { ours: everything, theirs: officialEverything },
    })
    await using client = await open(gateway, {
      protocolVersion,
      sample: async () => ({
        role: 'assistant',
        model: 'test',
        content: { type: 'text', text: 'sampled' },
      }),
    })
    const items = await client.listTools().toArray()
    const names = items.map(({ name }) => name)
    expect(names).toContain('ours__echo')
    expect(names).toContain('theirs__echo')
    expect(textOf(await client.callTool('theirs__echo', { message: 'hello' }))).toContain('hello')
    const sampled = await client.callTool('theirs__trigger-sampling-request', {
      prompt: 'hi',
      maxTokens: 5,
    })
    expect(JSON.stringify(sampled.content)).toContain('sampled')
  },
)

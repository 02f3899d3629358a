import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { isThorough } from '../../../../test-support/thorough.ts'
import { openOfficialClientV1 } from './official-client-v1.ts'
import { openOfficialClientV2 } from './official-client-v2.ts'
import type { OfficialClient, OpenOfficialClient } from './official-client.ts'
import { ourEverything, startEverything, type HttpChannel } from './programs.ts'

const contestants = [
  ['1', openOfficialClientV1],
  ['2', openOfficialClientV2('legacy')],
  ['2, looking for the newest revision', openOfficialClientV2('auto')],
] as const

/** Each client has a server of its own, however it is reached. */
async function openOver(
  channel: 'stdio' | HttpChannel,
  open: OpenOfficialClient,
): Promise<OfficialClient> {
  if (channel === 'stdio') return open(ourEverything)
  const target = await startEverything(channel)
  const client = await open(target)
  return {
    ...client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      target[Symbol.dispose]()
    },
  }
}

/** Arguments for each tool of the everything server, and what its answer must contain. */
const calls: Readonly<Record<string, readonly [args: object, answer: string]>> = {
  echo: [{ message: 'hello' }, 'Echo: hello'],
  'get-annotated-message': [{ messageType: 'debug', includeImage: true }, '"priority":0.3'],
  'get-env': [{}, 'PATH'],
  'get-resource-links': [{}, 'demo://resource/dynamic/blob/3'],
  'get-resource-reference': [{ resourceType: 'Blob' }, '"blob":'],
  'get-structured-content': [{ location: 'Los Angeles' }, 'Sunny / Clear'],
  'get-sum': [{ a: 1, b: 2 }, 'The sum of 1 and 2 is 3.'],
  'get-tiny-image': [{}, '"mimeType":"image/png"'],
  'gzip-file-as-resource': [{ data: 'data:,x' }, 'demo://resource/session/README.md.gz'],
  'toggle-simulated-logging': [{}, 'Started'],
  'toggle-subscriber-updates': [{}, 'Started'],
  'trigger-long-running-operation': [{ duration: 0.01, steps: 1 }, 'completed'],
  'get-roots-list': [{}, 'file:///home/ada'],
  'trigger-elicitation-request': [{}, 'Ada'],
  'trigger-sampling-request': [{ prompt: 'Why?' }, 'Forty-two.'],
}

const channels = ['stdio', 'streamableHttp', 'sse'] as const

/** Each client and each channel; how clients do over each of the first two is seen in the matrix of peers too. */
const cases = channels.flatMap((channel, row) =>
  contestants
    .filter((_, at) => isThorough || at === (row + 1) % contestants.length)
    .map(([generation, open]) => [generation, channel, open] as const),
)

describe.each(cases)('the official client of generation %s over %s', (_, channel, open) => {
  const known = Object.entries(calls).filter(([name]) => name !== 'get-env' || channel === 'stdio')
  let client: OfficialClient

  beforeAll(async () => {
    client = await openOver(channel, open)
  })
  afterAll(async () => {
    await client[Symbol.asyncDispose]()
  })

  test('connects and learns who we are', () => {
    expect(client.server).toMatchObject({ name: 'mcp-servers/everything', version: '2.0.0' })
    expect(client.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true },
      logging: {},
      completions: {},
    })
    expect(client.instructions).toContain('# Everything server')
  })

  test('lists every tool', async () => {
    const tools = await client.listTools()

    const names = tools.map(({ name }) => name).filter((name) => name in calls)
    expect(names).toEqual(known.map(([name]) => name))
  })

  test.each(known)('calls %s', async (name, [args, answer]) => {
    await client.listTools() // it checks structured content against what was listed
    const result = await client.callTool(name, { ...args })

    expect(result.isError ?? false).toBe(false)
    expect(JSON.stringify(result.content)).toContain(answer)
  })

  test('gets structured content', async () => {
    const result = await client.callTool('get-structured-content', { location: 'New York' })

    expect(result.structuredContent).toEqual({
      temperature: 33,
      conditions: 'Cloudy',
      humidity: 82,
    })
  })

  // These clients forget a call with its result, and progress that they read in the same chunk. We keep them apart by
  // time alone, so a machine that is busy for longer may still lose some.
  test('hears progress, the last one too', async () => {
    let complete = 0

    for (let call = 0; call < 10; call += 1) {
      const told: number[] = []
      await client.callTool(
        'trigger-long-running-operation',
        { duration: 0.03, steps: 3 },
        { onprogress: ({ progress }) => void told.push(progress) },
      )
      if (told.join() === '1,2,3') complete += 1
    }

    expect(complete).toBeGreaterThanOrEqual(5)
  })

  test('cancels a call, and the session goes on', async () => {
    const controller = new AbortController()

    const call = client.callTool(
      'trigger-long-running-operation',
      { duration: 60, steps: 6_000 },
      { signal: controller.signal, onprogress: () => controller.abort('enough') },
    )

    await expect(call).rejects.toBeDefined()
    await expect(client.check()).resolves.toBeUndefined()
  })

  test('reads what is wrong with arguments as a result, and unknown tools as an error', async () => {
    const result = await client.callTool('get-sum', { a: 'one', b: 2 })

    expect(result.isError).toBe(true)
    await expect(client.callTool('make-coffee')).rejects.toMatchObject({ code: -32602 })
  })

  test('lists and gets prompts', async () => {
    const prompts = await client.listPrompts()
    const prompt = await client.getPrompt('args-prompt', { city: 'Oslo' })
    const embedded = await client.getPrompt('resource-prompt', {
      resourceType: 'Text',
      resourceId: '1',
    })

    expect(prompts).toHaveLength(4)
    expect(prompt.messages).toEqual([
      { role: 'user', content: { type: 'text', text: "What's weather in Oslo?" } },
    ])
    expect(embedded.messages).toHaveLength(2)
    await expect(client.getPrompt('args-prompt')).rejects.toMatchObject({ code: -32602 })
  })

  test('completes arguments of prompts and templates', async () => {
    const names = await client.complete({
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'name', value: 'G' },
      context: { arguments: { department: 'Marketing' } },
    })
    const ids = await client.complete({
      ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
      argument: { name: 'resourceId', value: '12' },
    })

    expect(names).toEqual(['Grace'])
    expect(ids).toEqual(['12'])
  })

  test('lists and reads resources', async () => {
    const resources = await client.listResources()
    const templates = await client.listTemplates()
    const document = await client.readResource('demo://resource/static/document/features.md')
    const blob = await client.readResource('demo://resource/dynamic/blob/5')

    expect(resources.length).toBeGreaterThanOrEqual(7)
    expect(templates).toHaveLength(2)
    expect(document.contents).toMatchObject([{ mimeType: 'text/markdown' }])
    expect(blob.contents).toMatchObject([{ blob: expect.any(String) as string }])
    await expect(client.readResource('demo://nowhere')).rejects.toThrow('demo://nowhere')
  })

  test('is told when the list of resources changes', async () => {
    const subscribed = await client.follow()

    await client.callTool('gzip-file-as-resource', { name: 'new.gz', data: 'data:,new' })

    await vi.waitFor(() => expect(client.received.changes.length).toBeGreaterThan(0))
    await subscribed[Symbol.asyncDispose]()
    expect(await client.listResources()).toContainEqual(
      expect.objectContaining({ uri: 'demo://resource/session/new.gz' }),
    )
  })

  test('follows a resource', async () => {
    await using other = await openOver(channel, open)
    const uri = 'demo://resource/dynamic/text/9'

    const subscribed = await other.follow(uri)
    await other.callTool('toggle-subscriber-updates')
    await vi.waitFor(() => expect(other.received.updates).toContain(uri))
    await subscribed[Symbol.asyncDispose]()
  })

  test('gets log messages at the level it set', async () => {
    await using other = await openOver(channel, open)

    await other.setLoggingLevel('debug')
    await other.callTool('toggle-simulated-logging')
    await other.callTool('echo', { message: 'x' })

    await vi.waitFor(() => expect(other.received.logs).toHaveLength(2))
  })

  test('is asked for roots, for the model and for a form', () => {
    const { inputRequests } = client.received

    expect(inputRequests.find(({ method }) => method === 'roots/list')).toBeDefined()
    expect(inputRequests.find(({ method }) => method === 'sampling/createMessage')).toMatchObject({
      params: { systemPrompt: 'You are a helpful test server.', maxTokens: 100 },
    })
    expect(inputRequests.find(({ method }) => method === 'elicitation/create')).toMatchObject({
      params: { requestedSchema: { required: ['name'] } },
    })
  })
})

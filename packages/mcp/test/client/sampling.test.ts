import type { CreateMessageResult } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeServer } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const hello = { role: 'user', content: { type: 'text', text: 'hello' } } as const
const answer: CreateMessageResult = {
  role: 'assistant',
  content: { type: 'text', text: 'hi' },
  model: 'model-1',
  stopReason: 'whateverTheProviderSays',
}

const oddNumbersOfBlocks: [string, object][] = [
  ['several blocks', { messages: [message([hello.content, hello.content])], maxTokens: 1 }],
  ['no blocks', { messages: [message([])], maxTokens: 1 }],
]
const severalBlocks: [string, object] = [
  'several blocks',
  { ...answer, content: [answer.content, answer.content] },
]

describeServer('sampling', ({ revision, connect, rawServer, rawClient }) => {
  const hasTools = revision >= '2025-11-25'

  test('is declared by a client with a model [SAMP-01]', async () => {
    const server = rawServer({ sample: () => answer })

    const { params } = await server.expect('initialize')

    expect(params?.['capabilities']).toEqual({ sampling: {} })
    await server.close()
  })

  test('hands the whole question over, preferences as they were sent [SAMP-06, SAMP-09..12]', async () => {
    const params = {
      messages: [hello],
      maxTokens: 100,
      systemPrompt: 'Be brief.',
      includeContext: 'thisServer',
      temperature: 0.2,
      stopSequences: ['\n'],
      metadata: { trace: 1 },
      modelPreferences: {
        hints: [{ name: 'claude', tier: 'mine' }, { name: 'gpt' }],
        costPriority: 0,
        speedPriority: 1,
        intelligencePriority: 0.5,
      },
    }
    const seen: unknown[] = []
    const server = rawServer({ sample: (inputRequest) => (seen.push(inputRequest), answer) })
    const client = await server.accept()

    const { result } = await ask(server, params)

    expect(seen).toEqual([params])
    expect(result).toEqual(answer) // role, content, model, and any stop reason [SAMP-08]
    await client.close()
  })

  test('gives the server the role, content and model of the answer [SAMP-08]', async () => {
    const server = createServer({ name: 'thinker', version: '1.0.0' })
    server.tool('think', {}, async (_, context) =>
      JSON.stringify(await context.sample({ messages: [hello], maxTokens: 5 })),
    )
    await using client = await connect(server, { sample: async () => answer })

    const { content } = await client.callTool('think')

    expect(JSON.parse(content[0]?.type === 'text' ? content[0].text : '')).toEqual(answer)
  })

  test('that is refused is error -1, and the reason stays here [SAMP-18, SAMP-23]', async () => {
    const reports: unknown[] = []
    const server = rawServer({
      sample: () => Promise.reject(new Error('user said no to the secret plan')),
      onError: (error) => reports.push(error),
    })
    const client = await server.accept()

    const { error } = await ask(server)

    expect(error).toEqual({ code: -1, message: 'the sampling request was refused' })
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining('no') })])
    await client.close()
  })

  test('that was refused fails the tool, not the server [SAMP-18]', async () => {
    const server = createServer({ name: 'thinker', version: '1.0.0', onError: () => undefined })
    const codes: unknown[] = []
    server.tool('think', {}, (_, context) =>
      context.sample({ messages: [hello], maxTokens: 5 }).then(
        () => 'thought',
        (error: unknown) => {
          codes.push((error as { code: string }).code)
          return 'no'
        },
      ),
    )
    await using client = await connect(server, { sample: () => Promise.reject(new Error('no')) })

    expect(await client.callTool('think')).toEqual({ content: [{ type: 'text', text: 'no' }] })
    expect(codes).toEqual(['input_refused'])
  })

  test.each<[string, object]>([
    ['no messages', { maxTokens: 1 }],
    ['no maxTokens', { messages: [hello] }],
    ['a fraction of a token', { messages: [hello], maxTokens: 1.5 }],
    ['a role of its own', { messages: [{ ...hello, role: 'system' }], maxTokens: 1 }],
    ['bare text [DEC-22]', { messages: [{ role: 'user', content: 'hi' }], maxTokens: 1 }],
    [
      'a resource',
      {
        messages: [message({ type: 'resource', resource: { uri: 'a:b', text: '' } })],
        maxTokens: 1,
      },
    ],
    ...(hasTools ? [] : oddNumbersOfBlocks),
    ['a priority above 1', { ...plain(), modelPreferences: { costPriority: 1.1 } }],
    ['a context it invented', { ...plain(), includeContext: 'everything' }],
    ['tools', { ...plain(), tools: [] }],
  ])(
    'with %s is refused before the model sees it [SAMP-06, SAMP-07, SAMP-17, SAMP-20]',
    async (_, params) => {
      const seen: unknown[] = []
      const server = rawServer({ sample: (inputRequest) => (seen.push(inputRequest), answer) })
      const client = await server.accept()

      const { error } = await ask(server, params)

      expect(error?.code).toBe(-32602)
      expect(seen).toEqual([])
      await client.close()
    },
  )

  test.each<[string, object | undefined]>([
    ['no role', { content: answer.content, model: 'm' }],
    ['no model', { role: 'assistant', content: answer.content }],
    ['content as text', { ...answer, content: 'hi' }],
    ...(hasTools ? [] : [severalBlocks]),
    ['nothing', undefined],
  ])('answered with %s never leaves the client [SAMP-07, SAMP-08, SAMP-20]', async (_, wrong) => {
    const server = rawServer({ sample: () => wrong as CreateMessageResult })
    const client = await server.accept()

    const { error, result } = await ask(server)

    expect(result).toBeUndefined()
    expect(error).toBeDefined()
    await client.close()
  })

  test.each<[string, object]>([
    ['no model', { role: 'assistant', content: answer.content }],
    ['a resource', { ...answer, content: { type: 'resource', resource: { uri: 'a:', text: '' } } }],
    ...(hasTools ? [] : [severalBlocks]),
  ])('answered with %s does not reach the tool [SAMP-07, SAMP-08, SAMP-20]', async (_, wrong) => {
    const server = createServer({ name: 'thinker', version: '1.0.0', onError: () => undefined })
    const outcomes: unknown[] = []
    server.tool('think', {}, async (__, context) => {
      const sampled = context.sample({ messages: [hello], maxTokens: 5 })
      outcomes.push(await sampled.catch((error: { code: string }) => error.code))
    })
    const client = await rawClient(server, { capabilities: { sampling: {} } })

    const called = client.request('tools/call', { name: 'think' })
    const { id } = await client.next(({ method }) => method === 'sampling/createMessage')
    client.send({ jsonrpc: '2.0', id, result: wrong })
    await called

    expect(outcomes).toEqual(['invalid_message'])
    await client.close()
  })

  test.each([
    ['a priority below 0', { modelPreferences: { speedPriority: -0.1 } }],
    ['a fraction of a token', { maxTokens: 0.5 }],
    [
      'a resource',
      { messages: [message({ type: 'resource', resource: { uri: 'a:', text: '' } })] },
    ],
  ])('with %s is not sent by our server [SAMP-06, SAMP-07, SAMP-17, SAMP-20]', async (_, wrong) => {
    const server = createServer({ name: 'thinker', version: '1.0.0', onError: () => undefined })
    server.tool('think', {}, async (__, context) => {
      await context.sample({ messages: [hello], maxTokens: 5, ...wrong } as never)
    })
    const client = await rawClient(server, { capabilities: { sampling: {} } })

    const { result } = await client.request('tools/call', { name: 'think' })

    expect(result).toMatchObject({ isError: true })
    expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
    await client.close()
  })

  test('is not asked of a client without a model [SAMP-01]', async () => {
    const server = createServer({ name: 'thinker', version: '1.0.0' })
    server.tool('think', {}, async (_, context) => {
      await context.sample({ messages: [hello], maxTokens: 5 })
    })
    const client = await rawClient(server)

    const { result } = await client.request('tools/call', { name: 'think' })

    expect(JSON.stringify(result)).toContain('sampling')
    expect(result).toMatchObject({ isError: true })
    await client.close()
  })

  test('is limited in rate, and comes back with time [SAMP-22]', async () => {
    const clock = createVirtualClock()
    let count = 0
    const server = rawServer({ clock, sample: () => ((count += 1), answer) })
    const client = await server.accept()

    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, id) => ask(server, plain(), id)),
    )
    await clock.advance(1_000)
    const later = await ask(server, plain(), 100)

    const rejected = answers.filter(({ error }) => error !== undefined)
    expect(rejected).toHaveLength(10)
    expect(rejected[0]?.error).toMatchObject({ code: 503, data: { reason: 'overloaded' } })
    expect(later.result).toEqual(answer)
    expect(count).toBe(51)
    await client.close()
  })
})

function message(content: unknown): object {
  return { role: 'user', content }
}

function plain(): object {
  return { messages: [hello], maxTokens: 1 }
}

function ask(server: RawServer, params: object = plain(), id = 1): ReturnType<RawServer['next']> {
  server.send({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params })
  return server.next((reply) => reply.id === id && reply.method === undefined)
}

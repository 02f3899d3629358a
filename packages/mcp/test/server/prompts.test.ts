import { audio, embed, image, json, resourceLink, text } from '@parley/mcp'
import { createServer, message } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { describeServer } from '../support/matrix.ts'

const bytes = Uint8Array.of(0, 127, 255)

describeServer('prompts', ({ connect, rawClient, rawServer, revision }) => {
  const isCurrent = revision >= '2025-06-18'

  test('are declared with listChanged only if there are any [PROMPT-01, PROMPT-15]', async () => {
    const empty = createServer({ name: 'empty', version: '1' })
    const full = createServer({ name: 'full', version: '1' })
    full.prompt('hello', {}, () => 'hello')

    const [without, having] = [await rawClient(empty), await rawClient(full)]

    expect(without.serverInfo.result?.['capabilities']).not.toHaveProperty('prompts')
    expect((await without.request('prompts/list')).error?.code).toBe(-32601)
    expect(having.serverInfo.result?.['capabilities']).toMatchObject({
      prompts: { listChanged: true },
    })
    await without.close()
    await having.close()
  })

  test('are not asked of a server that has none [PROMPT-15]', async () => {
    const server = rawServer()
    const client = await server.accept({ capabilities: {} })

    await expect(client.getPrompt('hello')).rejects.toMatchObject({ code: 'unsupported' })
    expect(server.received.map(({ method }) => method)).not.toContain('prompts/get')
    await client.close()
  })

  test('are listed with their arguments [PROMPT-02]', async () => {
    const server = createServer({ name: 'lister', version: '1' })
    const argumentsSchema = z.object({
      code: z.string().meta({ title: 'Code', description: 'What to review' }),
      style: z.enum(['kind', 'strict']).optional(),
    })
    server.prompt(
      'review',
      { title: 'Review', description: 'Reviews code', argumentsSchema },
      ({ code }) => code,
    )
    server.prompt('bare', {}, () => 'bare')
    const client = await rawClient(server)

    const { result } = await client.request('prompts/list')

    expect(result).toEqual({
      prompts: [
        {
          name: 'review',
          ...(isCurrent && { title: 'Review' }),
          description: 'Reviews code',
          arguments: [
            {
              name: 'code',
              ...(isCurrent && { title: 'Code' }),
              description: 'What to review',
              required: true,
            },
            { name: 'style', required: false },
          ],
        },
        { name: 'bare' },
      ],
    })
    await client.close()
  })

  test('are got by name with a map of strings [PROMPT-03]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const getting = client.getPrompt('review', { code: 'x = 1' })
    const { params } = await server.answer('prompts/get', { messages: [] })

    expect(params).toEqual({ name: 'review', arguments: { code: 'x = 1' } })
    expect(await getting).toEqual({ messages: [] })
    await client.close()
  })

  test('answer with messages of every kind of content [PROMPT-04, PROMPT-05, PROMPT-07..09]', async () => {
    const annotations = { audience: ['assistant'], priority: 0.1 } as const
    const server = createServer({ name: 'messages', version: '1' })
    server.prompt('all', { description: 'Everything' }, () => [
      message('user', text('hello', { annotations })),
      message('assistant', image(bytes, 'image/png')),
      message('user', audio(bytes, 'audio/wav')),
      message('user', embed('file:///a.txt', 'a')),
      message('assistant', embed('file:///a.bin', bytes)),
      message('user', resourceLink({ uri: 'file:///b', name: 'b' })),
    ])
    await using client = await connect(server)

    const result = await client.getPrompt('all')

    const blob = { mimeType: 'audio/wav', blob: 'AH//' }
    expect(result).toEqual({
      description: 'Everything',
      messages: [
        { role: 'user', content: { type: 'text', text: 'hello', annotations } },
        { role: 'assistant', content: { type: 'image', mimeType: 'image/png', data: 'AH//' } },
        {
          role: 'user',
          content:
            revision === '2024-11-05'
              ? { type: 'resource', resource: { uri: 'data:audio/wav,', ...blob } }
              : { type: 'audio', mimeType: 'audio/wav', data: 'AH//' },
        },
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'a' },
          },
        },
        {
          role: 'assistant',
          content: {
            type: 'resource',
            resource: {
              uri: 'file:///a.bin',
              mimeType: 'application/octet-stream',
              blob: 'AH//',
            },
          },
        },
        {
          role: 'user',
          content: isCurrent
            ? { type: 'resource_link', uri: 'file:///b', name: 'b' }
            : { type: 'text', text: 'b: file:///b' },
        },
      ],
    })
  })

  test('that are unknown are -32602 [PROMPT-10]', async () => {
    const server = createServer({ name: 'prompts', version: '1' })
    server.prompt('known', {}, () => 'known')
    const client = await rawClient(server)

    const { error } = await client.request('prompts/get', { name: 'unknwon' })

    expect(error).toEqual({ code: -32602, message: 'unknown prompt: unknwon' })
    await client.close()
  })

  test('check their arguments before anything else [PROMPT-11, PROMPT-13, PROMPT-16, N11-BASE-03]', async () => {
    let runs = 0
    const server = createServer({ name: 'prompts', version: '1' })
    const argumentsSchema = z.object({ code: z.string().max(5) })
    server.prompt('review', { argumentsSchema }, () => `${(runs += 1)}`)
    const client = await rawClient(server)

    const wrong = [
      await client.request('prompts/get', { name: 'review' }),
      await client.request('prompts/get', { name: 'review', arguments: {} }),
      await client.request('prompts/get', { name: 'review', arguments: { code: 1 } }),
      await client.request('prompts/get', { name: 'review', arguments: { code: 'too long' } }),
    ]

    expect(wrong.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602])
    expect(wrong[0]?.error?.message).toMatch(/^Invalid arguments for prompt review: code: /)
    expect(runs).toBe(0)
    await client.close()
  })

  test('that fail are -32603, without the reason [PROMPT-12]', async () => {
    const server = createServer({ name: 'prompts', version: '1' })
    server.prompt('fail', {}, () => {
      throw new Error('password=hunter2')
    })
    const client = await rawClient(server)

    const { error } = await client.request('prompts/get', { name: 'fail' })

    expect(error?.code).toBe(-32603)
    expect(JSON.stringify(error)).not.toContain('hunter2')
    await client.close()
  })
})

const hello = { role: 'user', content: { type: 'text', text: 'hello' } }
const answer = { role: 'assistant', content: { type: 'text', text: 'hi' } }

async function get(returned: unknown): Promise<{ outcome: unknown; reports: readonly string[] }> {
  const reports: string[] = []
  const server = createServer({
    name: 'returns',
    version: '1',
    onError: (error) => void reports.push((error as Error).message),
  })
  server.prompt('it', {}, () => returned as string)
  await using client = await createTestClient(server)
  const outcome: unknown = await client.getPrompt('it').catch((error: unknown) => error)
  return { outcome, reports }
}

describe('a prompt may return', () => {
  test.each([
    ['a string', 'hello', [hello]],
    ['a message', message('assistant', 'hi'), [answer]],
    ['strings and messages', ['hello', message('assistant', 'hi')], [hello, answer]],
  ])('%s', async (_, returned, messages) => {
    expect((await get(returned)).outcome).toEqual({ messages })
  })

  test('a full result', async () => {
    const result = { description: 'Mine', messages: [hello], _meta: { 'example.com/a': 1 } }

    expect((await get(result)).outcome).toEqual(result)
  })
})

describe('a prompt cannot return', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['bytes', bytes],
    ['json()', json({ a: 1 })],
    ['a blob', new Blob(['hello'])],
    ['a content block', text('hello')],
    ['another object', { rows: [1] }],
    ['a list of other things', ['hello', text('hello')]],
    ['a message without a role', { messages: [{ content: text('hello') }] }],
    ['a message of a role there is not', [{ role: 'system', content: text('hello') }]],
    ['a message whose content is no block', [{ role: 'user', content: 'hello' }]],
  ])('%s [PROMPT-05]', async (_, returned) => {
    const { outcome, reports } = await get(returned)

    expect(outcome).toMatchObject({ code: 'internal_error' })
    expect(reports).toEqual([expect.stringContaining('prompt it returned no messages')])
  })
})

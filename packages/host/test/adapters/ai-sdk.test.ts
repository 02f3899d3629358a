import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { toAiTools } from '@parley/host/adapters'
import { generateText, stepCountIs, streamText } from 'ai'
import { expect, test } from 'vitest'

import { openModelEndpoint, type ModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { consentThat, openWorkshop } from './workshop.ts'

test('generateText asks, calls the server twice at once, and answers', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint([
    {
      calls: [
        { name: 'workshop__add', arguments: { a: 1, b: 2 } },
        { name: 'workshop__fail', arguments: {} },
      ],
    },
    'It is 3.',
  ])
  const consent = consentThat()

  const { text, steps } = await generateText({
    model: compatible(endpoint),
    tools: await toAiTools({ workshop: workshop.client }, { consent }),
    stopWhen: stepCountIs(5),
    prompt: 'Add 1 and 2.',
  })

  expect(text).toBe('It is 3.')
  expect(workshop.called).toEqual(['add', 'fail'])
  expect(consent.asked.map((calls) => calls.length)).toEqual([2])
  expect(steps[0]?.toolResults[0]?.output).toMatchObject({ structuredContent: { sum: 3 } })
  const sent = endpoint.requests[0]?.body['tools']
  expect(sent).toContainEqual({
    type: 'function',
    function: {
      name: 'workshop__add',
      description: 'Adds two numbers',
      parameters: expect.objectContaining({ required: ['a', 'b'] }),
    },
  })
  const [, , sum, failure] = messagesOf(endpoint, 1)
  expect(JSON.stringify(sum)).toContain('"sum')
  expect(JSON.stringify(failure)).toContain('The saw is blunt.')
})

test('sends schemas as they are, also those that leave members open', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint('Nothing to do.')

  await generateText({
    model: compatible(endpoint),
    tools: await toAiTools({ workshop: workshop.client }, { consent: 'allow' }),
    prompt: 'Hello.',
  })

  const tools = JSON.stringify(endpoint.requests[0]?.body['tools'])
  const chart = await workshop.client.listTools().toArray()
  const schema = chart.find(({ name }) => name === 'chart')?.inputSchema
  expect(tools).toContain(
    `"name":"workshop__chart","description":"Draws a chart","parameters":${JSON.stringify({ ...schema, properties: {} })}`,
  )
})

test('streamText hands images on to a model that takes them', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint([
    { calls: [{ name: 'workshop__chart', arguments: {} }] },
    'A chart.',
  ])

  const result = streamText({
    model: createAnthropic({ baseURL: endpoint.baseUrl, apiKey: 'k' })('claude-sonnet-4-5'),
    tools: await toAiTools({ workshop: workshop.client }, { consent: 'allow' }),
    stopWhen: stepCountIs(5),
    prompt: 'Draw.',
    maxOutputTokens: 100,
  })

  expect(await result.text).toBe('A chart.')
  expect(messagesOf(endpoint, 1).at(-1)).toMatchObject({
    content: [
      {
        type: 'tool_result',
        content: [
          { type: 'text' },
          { type: 'image', source: { media_type: 'image/png', data: expect.any(String) } },
        ],
      },
    ],
  })
})

test('a denied call is an error for the model, and the turn goes on', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint([
    { calls: [{ name: 'workshop__add', arguments: { a: 1, b: 2 } }] },
    'I may not.',
  ])

  const { text, steps } = await generateText({
    model: compatible(endpoint),
    tools: await toAiTools({ workshop: workshop.client }, { consent: consentThat(['add']) }),
    stopWhen: stepCountIs(5),
    prompt: 'Add 1 and 2.',
  })

  expect(text).toBe('I may not.')
  expect(workshop.called).toEqual([])
  expect(steps[0]?.content.map(({ type }) => type)).toContain('tool-error')
  expect(JSON.stringify(messagesOf(endpoint, 1))).toContain('add is not allowed here')
})

test('aborting the generation cancels the call on the server', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint({ calls: [{ name: 'workshop__wait' }] })
  const stop = new AbortController()

  const generating = generateText({
    model: compatible(endpoint),
    tools: await toAiTools(
      { workshop: workshop.client },
      { consent: 'allow', onProgress: () => stop.abort() },
    ),
    stopWhen: stepCountIs(5),
    prompt: 'Wait.',
    abortSignal: stop.signal,
  })

  await expect(generating).rejects.toThrow()
  await workshop.cancelled
})

function compatible({ baseUrl }: ModelEndpoint) {
  return createOpenAICompatible({ name: 'stub', baseURL: baseUrl })('stub-model')
}

function messagesOf(endpoint: ModelEndpoint, index: number): readonly unknown[] {
  const messages = endpoint.requests[index]?.body['messages']
  return Array.isArray(messages) ? messages : []
}

import { toOpenAiTools } from '@parley/host/adapters'
import OpenAi from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'

import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { consentThat, openWorkshop } from './workshop.ts'

const calls = [
  { name: 'workshop__add', arguments: { a: 1, b: 2 } },
  { name: 'workshop__chart' },
  { name: 'workshop__add', argumentsText: '{"a":' },
  { name: 'unknown' },
]

test('chat completions: a whole loop of calls, results and an image', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint([{ calls: calls.slice(0, 2) }, 'It is 3.'])
  const openai = new OpenAi({ baseURL: endpoint.baseUrl, apiKey: 'k' })
  const consent = consentThat()
  const { chat } = await toOpenAiTools({ workshop: workshop.client }, { consent })

  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Add 1 and 2.' }]
  let text: string | null = null
  while (text === null) {
    const completion = await openai.chat.completions.create({
      model: 'm',
      messages,
      tools: chat.tools,
    })
    const { message } = completion.choices[0]!
    messages.push(message, ...(await chat.answer(message)))
    text = message.content
  }

  expect(text).toBe('It is 3.')
  expect(workshop.called).toEqual(['add', 'chart'])
  expect(consent.asked.map((batch) => batch.length)).toEqual([2])
  expect(endpoint.requests[1]?.body['messages']).toMatchObject([
    {},
    {},
    { role: 'tool', content: expect.stringContaining('{"sum":3}') },
    { role: 'tool', content: expect.stringContaining('A chart:') },
    { role: 'user', content: [{}, { image_url: { url: 'data:image/png;base64,cGljdHVyZQ==' } }] },
  ])
})

test('responses: a whole loop of calls, results and an image', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint([{ calls: calls.slice(0, 2) }, 'It is 3.'])
  const openai = new OpenAi({ baseURL: endpoint.baseUrl, apiKey: 'k' })
  const { responses } = await toOpenAiTools({ workshop: workshop.client }, { consent: 'allow' })

  const input: ResponseInput = [{ role: 'user', content: 'Add 1 and 2.' }]
  let text = ''
  while (text === '') {
    const response = await openai.responses.create({ model: 'm', input, tools: responses.tools })
    const output = response.output as ResponseInput // what came out may go in again
    input.push(...output, ...(await responses.answer(response)))
    text = response.output_text
  }

  expect(text).toBe('It is 3.')
  expect(workshop.called).toEqual(['add', 'chart'])
  const sent = endpoint.requests[1]?.body['input']
  expect(sent).toMatchObject([
    {},
    { type: 'function_call' },
    { type: 'function_call' },
    { type: 'function_call_output', output: expect.stringContaining('{"sum":3}') },
    {
      type: 'function_call_output',
      output: [{ type: 'input_text' }, { type: 'input_image' }],
    },
  ])
})

test('unknown tools, broken arguments and refusals are answered, and nothing is called', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint({ calls })
  const openai = new OpenAi({ baseURL: endpoint.baseUrl, apiKey: 'k' })
  const { chat } = await toOpenAiTools(
    { workshop: workshop.client },
    { consent: consentThat(['add', 'chart']) },
  )
  const completion = await openai.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: 'Try.' }],
    tools: chat.tools,
  })

  const answers = await chat.answer(completion.choices[0]!.message)

  expect(answers.map(({ content }) => content)).toEqual([
    'add is not allowed here',
    'chart is not allowed here',
    'workshop__add was not called: its arguments must be one JSON object',
    'there is no tool "unknown"',
  ])
  expect(workshop.called).toEqual([])
})

test('a signal ends the round', async () => {
  await using workshop = await openWorkshop()
  const stop = new AbortController()
  const { chat } = await toOpenAiTools(
    { workshop: workshop.client },
    { consent: 'allow', onProgress: () => stop.abort() },
  )
  const call = { id: 'c', type: 'function', function: { name: 'workshop__wait', arguments: '' } }

  await expect(chat.answer({ tool_calls: [call] }, { signal: stop.signal })).rejects.toThrow()
  await workshop.cancelled
})

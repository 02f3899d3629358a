import Anthropic from '@anthropic-ai/sdk'
import OpenAi from 'openai'
import { expect, test } from 'vitest'

import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import type { EndpointAnswer } from '../../../../test-support/model-wire/wire.ts'

// The packages of the providers judge the stub: what they read from it is what was scripted.

const scripted: EndpointAnswer = {
  text: ['Let me ', 'see.'],
  calls: [
    { name: 'add', arguments: { a: 1, b: 2 } },
    { name: 'echo', arguments: { text: 'two at once' } },
  ],
}
const add = { a: 1, b: 2 }
const question = { role: 'user', content: 'add 1 and 2' } as const

test('chat completions, as a stream and whole', async () => {
  await using endpoint = await openModelEndpoint(scripted, { key: 'test-key' })
  const { chat } = new OpenAi({ baseURL: endpoint.baseUrl, apiKey: 'test-key' })
  const body = { model: 'm', messages: [question] }

  const streamed = await chat.completions.stream(body).finalChatCompletion()
  const whole = await chat.completions.create(body)

  for (const { choices } of [streamed, whole]) {
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    expect(choices[0]?.message).toMatchObject({
      content: 'Let me see.',
      tool_calls: [
        { function: { name: 'add', arguments: JSON.stringify(add) } },
        { function: { name: 'echo', arguments: '{"text":"two at once"}' } },
      ],
    })
  }
  expect(whole.usage?.total_tokens).toBe(19)
})

test('responses, as a stream and whole', async () => {
  await using endpoint = await openModelEndpoint({ ...scripted, reasoning: 'sums' })
  const { responses } = new OpenAi({ baseURL: endpoint.baseUrl, apiKey: 'k' })
  const body = { model: 'm', input: [question] }

  const streamed = await responses.stream(body).finalResponse()
  const whole = await responses.create(body)

  for (const response of [streamed, whole]) {
    expect(response.output_text).toBe('Let me see.')
    expect(response.output).toMatchObject([
      { type: 'reasoning', encrypted_content: expect.stringMatching(/^sealed-/) },
      { type: 'message' },
      { type: 'function_call', name: 'add', arguments: JSON.stringify(add) },
      { type: 'function_call', name: 'echo' },
    ])
  }
})

test('messages, as a stream and whole', async () => {
  await using endpoint = await openModelEndpoint({ ...scripted, reasoning: 'sums' })
  const { messages } = new Anthropic({ baseURL: endpoint.origin, apiKey: 'k' })
  const body = { model: 'm', max_tokens: 100, messages: [question] }

  const streamed = await messages.stream(body).finalMessage()
  const whole = await messages.create(body)

  for (const message of [streamed, whole]) {
    expect(message.stop_reason).toBe('tool_use')
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'sums', signature: expect.stringMatching(/^signature-/) },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', name: 'add', input: add },
      { type: 'tool_use', name: 'echo' },
    ])
  }
})

test('refuses with a status and headers, a wrong key, and history that no provider takes', async () => {
  await using endpoint = await openModelEndpoint(
    [{ status: 429, headers: { 'retry-after': '1' } }, 'never'],
    { key: 'right' },
  )
  const post = (key: string, body: object, path = 'chat/completions') =>
    fetch(`${endpoint.baseUrl}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
  const call = { id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } }
  const use = { type: 'tool_use', id: 'c', name: 'add', input: {} }

  const limited = await post('right', { messages: [question] })
  const statuses = [
    await post('wrong', { messages: [question] }),
    await post('right', { messages: [question, { role: 'assistant', tool_calls: [call] }] }),
    await post('right', { messages: [{ role: 'tool', tool_call_id: 'c', content: '' }] }),
    await post('right', { input: [{ type: 'function_call_output', call_id: 'c' }] }, 'responses'),
    await post(
      'right',
      { max_tokens: 1, messages: [question, { role: 'assistant', content: [use] }] },
      'messages',
    ),
    await post('right', {}, 'elsewhere'),
  ].map(({ status }) => status)

  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1'])
  expect(statuses).toEqual([401, 400, 400, 400, 400, 404])
})

test('pauses, cuts the connection, and knows when the caller went away', async () => {
  const stop = new AbortController()
  await using endpoint = await openModelEndpoint([
    { text: ['a', 'b'], cut: 'connection' },
    { text: ['a', 'b'], pauseUntil: () => endpoint.requests[1]!.ended },
  ])
  const post = () =>
    fetch(`${endpoint.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ stream: true, messages: [question] }),
      signal: stop.signal,
    })

  const cut = await post()
  await expect(cut.text()).rejects.toThrow()
  const paused = await post()
  await endpoint.arrived(2)
  stop.abort()

  await expect(paused.text()).rejects.toThrow()
  expect(await endpoint.requests[1]?.ended).toBe('aborted')
})

import { openModel } from '@parley/host/models'
import { expect, test } from 'vitest'

import { openLoggedServer } from '../../../../test-support/http-log.ts'
import { ask, said } from './model-events.ts'

// Endpoints that call themselves compatible, and are so in the main.

const tool = { name: 'add', inputSchema: { type: 'object' } }

test('a stream that ends with [DONE] and no reason is whole', async () => {
  const body = [
    { choices: [{ delta: { content: 'Hel' } }] },
    { choices: [{ delta: { content: 'lo.' } }] },
  ]
  const text = `${body.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')}data: [DONE]`

  expect(await answerTo({ body: text })).toMatchObject([
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo.' },
    { type: 'finish', reason: 'stop' },
  ])
})

test('calls without index, type and id are read', async () => {
  const call = { function: { name: 'add', arguments: '{"a":1}' } }
  const chunk = { choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }

  expect(
    await answerTo({ body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` }),
  ).toMatchObject([
    { type: 'call', call: { id: expect.any(String), name: 'add', argumentsText: '{"a":1}' } },
    { type: 'finish', reason: 'calls' },
  ])
})

test('an answer all at once is read like a stream', async () => {
  const calls = ['{"a":1}', '{"a":2}'].map((text) => ({
    type: 'function',
    function: { name: 'add', arguments: text },
  }))
  const message = { role: 'assistant', content: 'Wait.', tool_calls: calls }
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }

  const body = { choices: [{ message, finish_reason: 'tool_calls' }], usage }

  expect(await answerTo({ body })).toMatchObject([
    { type: 'text', text: 'Wait.' },
    { type: 'call', call: { argumentsText: '{"a":1}' } },
    { type: 'call', call: { argumentsText: '{"a":2}' } },
    { type: 'finish', reason: 'calls', usage: { inputTokens: 3, outputTokens: 4 } },
  ])
})

test.each([
  ['an error with the status of success', { body: { error: { message: 'no such model' } } }],
  ['JSON of another kind', { body: { hello: 'world' } }],
])('%s is an error', async (_, answer) => {
  await expect(answerTo(answer)).rejects.toMatchObject({ name: 'ModelError' })
})

test('an error with the status of success keeps its words', async () => {
  await expect(answerTo({ body: { error: { message: 'no such model' } } })).rejects.toThrow(
    /no such model/,
  )
})

async function answerTo(answer: { readonly body: unknown }) {
  const headers =
    typeof answer.body === 'string' ? { headers: { 'content-type': 'text/event-stream' } } : {}
  await using server = await openLoggedServer(() => ({ ...answer, ...headers }))
  const model = openModel({ name: 'm', baseUrl: `${server.origin}/v1`, retry: { maxAttempts: 1 } })
  return await ask(model, [said('Hello?')], [tool])
}

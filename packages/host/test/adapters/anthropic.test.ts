import Anthropic from '@anthropic-ai/sdk'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { toAnthropicTools } from '@parley/host/adapters'
import { expect, test } from 'vitest'

import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { consentThat, openWorkshop } from './workshop.ts'

test('a whole loop of calls, results, an image and errors', async () => {
  await using workshop = await openWorkshop()
  await using endpoint = await openModelEndpoint([
    {
      text: 'Let me see.',
      calls: [
        { name: 'workshop__add', arguments: { a: 1, b: 2 } },
        { name: 'workshop__chart' },
        { name: 'workshop__fail' },
        { name: 'unknown' },
      ],
    },
    'It is 3.',
  ])
  const anthropic = new Anthropic({ baseURL: endpoint.origin, apiKey: 'k' })
  const consent = consentThat()
  const { tools, answer } = await toAnthropicTools({ workshop: workshop.client }, { consent })

  const messages: MessageParam[] = [{ role: 'user', content: 'Add 1 and 2.' }]
  let last: Anthropic.Message
  for (;;) {
    last = await anthropic.messages.create({ model: 'm', max_tokens: 100, messages, tools })
    const results = await answer(last)
    if (results === undefined) break
    messages.push({ role: 'assistant', content: last.content }, results)
  }

  expect(last.content).toMatchObject([{ type: 'text', text: 'It is 3.' }])
  expect(workshop.called).toEqual(['add', 'chart', 'fail'])
  expect(consent.asked.map((batch) => batch.length)).toEqual([3])
  expect(messages.at(-1)?.content).toMatchObject([
    { is_error: false, content: [{ text: expect.stringContaining('{"sum":3}') }] },
    { content: [{}, { type: 'image', source: { media_type: 'image/png' } }] },
    { is_error: true, content: [{ text: expect.stringContaining('The saw is blunt.') }] },
    { is_error: true, content: [{ text: 'there is no tool "unknown"' }] },
  ])
  expect(endpoint.requests[0]?.body['tools']).toContainEqual({
    name: 'workshop__add',
    description: 'Adds two numbers',
    input_schema: expect.objectContaining({ type: 'object', required: ['a', 'b'] }),
  })
})

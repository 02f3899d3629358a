import { type ModelMessage, type ModelTool, openModel } from '@parley/host/models'
import { expect, test } from 'vitest'

import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { ask, messageOf, resultOf, said } from './model-events.ts'

const add: ModelTool = { name: 'add', inputSchema: { type: 'object' } }
const question = said('Think first.')
const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }
const pixel = { type: 'image', mimeType: 'image/png', data: 'aW1hZ2U=' } as const
const sound = { type: 'audio', mimeType: 'audio/wav', data: 'c291bmQ=' } as const

test('Anthropic gets its signed reasoning back, in its place', async () => {
  await using endpoint = await openModelEndpoint([
    { reasoning: 'Hm.', text: 'Wait.', calls: [{ name: 'add', id: 'toolu_1' }] },
    'Done.',
  ])
  const model = openModel({
    name: 'anthropic/claude-test',
    baseUrl: endpoint.baseUrl,
    key: 'k',
    providerOptions: thinking,
  })

  const first = await ask(model, [question], [add])
  const stored = JSON.parse(JSON.stringify(messageOf(first))) as ModelMessage // as a transcript does
  await ask(model, [question, stored, resultOf('toolu_1', 'add', '3')], [add])

  expect(first).toContainEqual({ type: 'reasoning', text: 'Hm.' })
  expect(endpoint.requests[1]?.body['messages']).toMatchObject([
    {},
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'signature-0' },
        { type: 'text', text: 'Wait.' },
        { type: 'tool_use', id: 'toolu_1' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
  ])
})

test('responses are not stored by the provider, which gets its sealed reasoning back', async () => {
  await using endpoint = await openModelEndpoint([
    { reasoning: 'Hm.', text: 'Wait.', calls: [{ name: 'add', id: 'call_1' }] },
    'Done.',
  ])
  const { baseUrl } = endpoint
  const model = openModel({ name: 'openai/gpt-5', baseUrl, api: 'responses', key: 'k' })

  const first = await ask(model, [question], [add])
  await ask(model, [question, messageOf(first), resultOf('call_1', 'add', '3')], [add])

  expect(endpoint.requests[1]?.body['store']).toBe(false)
  expect(endpoint.requests[1]?.body['input']).toMatchObject([
    { role: 'user' },
    { type: 'reasoning', encrypted_content: 'sealed-0' },
    { role: 'assistant', content: [{ text: 'Wait.' }] },
    { type: 'function_call', call_id: 'call_1' },
    { type: 'function_call_output', call_id: 'call_1' },
  ])
})

test('leaves signatures out of what was edited, and of what another provider wrote', async () => {
  await using endpoint = await openModelEndpoint([{ reasoning: 'Hm.', text: 'Wait.' }, 'Done.'])
  const { baseUrl } = endpoint
  const claude = openModel({
    name: 'anthropic/claude-test',
    baseUrl,
    key: 'k',
    providerOptions: thinking,
  })
  const first = messageOf(await ask(claude, [question]))

  await ask(claude, [question, { ...first, text: 'Edited.' } as ModelMessage, question])
  await ask(openModel({ name: 'other', baseUrl }), [question, first, question])

  const bodies = endpoint.requests.slice(1).map((request) => JSON.stringify(request.body))
  expect(bodies[0]).toContain('Edited.')
  expect(bodies[1]).toContain('Wait.')
  for (const body of bodies) expect(body).not.toContain('signature-0')
})

const withImage: ModelMessage = {
  role: 'tool',
  callId: 'c1',
  name: 'add',
  content: [{ type: 'text', text: 'A chart:' }, pixel],
  isError: false,
}
const asking: ModelMessage = {
  role: 'assistant',
  text: '',
  calls: [
    { id: 'c1', name: 'add', argumentsText: '{}' },
    { id: 'c2', name: 'add', argumentsText: '' },
  ],
}
const conversation = [question, asking, withImage, resultOf('c2', 'add', '3')]

test('chat completions get the images of results behind all results of the answer', async () => {
  await using endpoint = await openModelEndpoint('I see.')

  await ask(openModel({ name: 'gpt-4o', baseUrl: endpoint.baseUrl }), conversation, [add])

  expect(endpoint.requests[0]?.body['messages']).toMatchObject([
    {},
    {},
    { role: 'tool', tool_call_id: 'c1', content: 'A chart:\n[image: it follows these results]' },
    { role: 'tool', tool_call_id: 'c2' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[Image in the result of add]' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1hZ2U=' } },
      ],
    },
  ])
})

test('Anthropic and responses get images inside results, and errors as errors', async () => {
  await using endpoint = await openModelEndpoint('I see.')
  const { baseUrl } = endpoint
  const failed: ModelMessage = { ...resultOf('c2', 'add', 'broken'), isError: true } as ModelMessage
  const messages = [question, asking, withImage, failed]

  await ask(openModel({ name: 'anthropic/claude-test', baseUrl }), messages, [add])
  await ask(openModel({ name: 'openai/gpt-5', baseUrl, api: 'responses' }), messages, [add])

  const [claude, openAi] = endpoint.requests.map((request) => request.body)
  expect(claude?.['messages']).toMatchObject([
    {},
    {},
    {
      content: [
        { content: [{ text: 'A chart:' }, { type: 'image', source: { data: 'aW1hZ2U=' } }] },
        { is_error: true, content: 'broken' },
      ],
    },
  ])
  expect(openAi?.['input']).toMatchObject([
    {},
    {},
    {},
    { output: [{ text: 'A chart:' }, { type: 'input_image' }] },
    { output: 'broken' },
  ])
})

test('models that take no images or audio are told what was left out', async () => {
  await using endpoint = await openModelEndpoint('I see.')
  const { baseUrl } = endpoint
  const shown: ModelMessage = { role: 'user', content: [pixel, sound] }

  await ask(openModel({ name: 'llama-3', baseUrl }), [shown, asking, ...conversation.slice(2)])
  await ask(openModel({ name: 'llama-3', baseUrl, accepts: { images: true, audio: true } }), [
    shown,
  ])

  const [blind, seeing] = endpoint.requests.map((request) => JSON.stringify(request.body))
  expect(blind).toContain('[image of 6 bytes, image/png, left out: this model does not take it]')
  expect(blind).toContain('[audio of 6 bytes, audio/wav, left out')
  expect(blind).not.toContain('aW1hZ2U=')
  expect(seeing).toContain('data:image/png;base64,aW1hZ2U=')
  expect(seeing).toContain('"input_audio":{"data":"c291bmQ=","format":"wav"}')
})

test('Anthropic gets all instructions in front, from its cache', async () => {
  await using endpoint = await openModelEndpoint('Yes.')
  const model = openModel({ name: 'anthropic/claude-test', baseUrl: endpoint.baseUrl })
  const [one, two] = ['One.', 'Two.'].map((text) => ({ role: 'system', text }) as const)

  await ask(model, [one!, question, two!])

  expect(endpoint.requests[0]?.body['system']).toEqual([
    { type: 'text', text: 'One.\n\nTwo.', cache_control: { type: 'ephemeral' } },
  ])
})

test('an empty answer of the assistant is not sent back', async () => {
  await using endpoint = await openModelEndpoint('Yes.')
  const model = openModel({ name: 'stub', baseUrl: endpoint.baseUrl })
  const empty: ModelMessage = { role: 'assistant', text: '', calls: [] }

  await ask(model, [question, empty, { role: 'user', content: [] }, question])

  expect(endpoint.requests[0]?.body['messages']).toMatchObject([{ role: 'user' }, { role: 'user' }])
})

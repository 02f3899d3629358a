import { createScriptedModel, type ModelMessage } from '@parley/host/models'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { inProcess, of, play, testHost } from '../playing.ts'

function wordy() {
  const server = createServer({ name: 'wordy', version: '1.0.0' })
  const inputSchema = z.object({ letter: z.string(), count: z.number() })
  server.tool('talk', { inputSchema }, ({ letter, count }) => letter.repeat(count))
  return [inProcess('wordy', server)]
}

function textOf(message: ModelMessage): string {
  if (message.role === 'system' || message.role === 'assistant') return message.text
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Every call has its result, and every result its call. */
function expectPaired(messages: readonly ModelMessage[]): void {
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? one.calls : []))
  const results = messages.flatMap((one) => (one.role === 'tool' ? [one.callId] : []))
  expect(results.toSorted()).toEqual(calls.map(({ id }) => id).toSorted())
}

function sizeOf(messages: readonly ModelMessage[]): number {
  return Buffer.byteLength(messages.map(textOf).join('')) / 4
}

test('a conversation that fits is sent whole, and nothing is said about it', async () => {
  const host = testHost(['One.', 'Two.'], [])

  await play(host.turn('first'))
  const events = await play(host.turn('second'))

  expect(of(events, 'notice')).toEqual([])
  expect(host.model.requests[1]?.messages).toHaveLength(4)
})

test('long results of earlier turns are shortened first, then the oldest turns are left out; the transcript keeps all', async () => {
  const window = 20_000
  const model = createScriptedModel(
    ({ messages }) => {
      const last = messages.at(-1)
      return last?.role === 'user'
        ? { calls: [{ name: 'wordy__talk', arguments: { letter: 'x', count: 16_000 } }] }
        : 'Done.'
    },
    { announcement: '', contextTokens: window },
  )
  const host = testHost([], wordy(), { model })
  const conversation = host.conversation()
  const notices: string[] = []
  for (let turn = 1; turn <= 40; turn += 1) {
    const events = await play(conversation.turn(`turn ${turn} ${'words '.repeat(200)}`))
    for (const { code, message } of of(events, 'notice')) {
      if (code === 'context-trimmed') notices.push(message)
    }
    expect(of(events, 'end')[0]?.reason).toBe('answered')
  }

  for (const { messages } of model.requests) {
    expectPaired(messages)
    expect(sizeOf(messages)).toBeLessThan(window)
  }
  expect(notices[0]).toMatch(
    /^the conversation is longer than the 20000 tokens that the model reads: \d+ long results are shortened\. The transcript keeps everything\.$/,
  )
  expect(notices.at(-1)).toMatch(/its first \d+ turns are left out/)
  expect(notices.length).toBeLessThan(40) // some room is made at once
  const last = model.requests.at(-1)?.messages ?? []
  expect(textOf(last[0] ?? { role: 'system', text: '' })).toMatch(
    /its first \d+ turns are not shown to you\.$/,
  )
  expect(last.some((message) => textOf(message).startsWith('turn 1 '))).toBe(false)
  expect(last.some((message) => textOf(message).startsWith('turn 40 '))).toBe(true)
  const shortened = last.filter((message) => textOf(message).includes('left out: the conversation'))
  for (const message of shortened) expect(textOf(message)).toMatch(/\[end of data [0-9a-f]{12}\]$/)
  expect(conversation.messages).toHaveLength(160)
  expect(
    conversation.messages.filter((message) => textOf(message).startsWith('turn 1 ')),
  ).toHaveLength(1)
})

test('within one long turn earlier results are shortened, and its question stays', async () => {
  const model = createScriptedModel(
    ({ index }) =>
      index < 12
        ? { calls: [{ name: 'wordy__talk', arguments: { letter: 'y', count: 8_000 } }] }
        : 'Done.',
    { announcement: '', contextTokens: 12_000 },
  )
  const host = testHost([], wordy(), { model })

  const events = await play(host.turn('Keep this question.'))

  expect(of(events, 'end')[0]?.reason).toBe('answered')
  expect(of(events, 'notice').map(({ code }) => code)).toContain('context-trimmed')
  for (const { messages } of model.requests) {
    expectPaired(messages)
    expect(messages.filter(({ role }) => role === 'user').map(textOf)).toEqual([
      'Keep this question.',
    ])
    expect(sizeOf(messages)).toBeLessThan(12_000)
  }
})

test('a model that reads more gets the whole conversation again', async () => {
  const small = createScriptedModel(({ index }) => `answer ${index}`, {
    announcement: '',
    contextTokens: 4_000,
  })
  const large = createScriptedModel(['Whole.'], { announcement: '', contextTokens: 128_000 })
  const host = testHost([], [], { model: small })
  const conversation = host.conversation()
  for (let turn = 0; turn < 10; turn += 1) {
    await play(conversation.turn('words '.repeat(400)))
  }
  expect(small.requests.at(-1)?.messages.length).toBeLessThan(20)

  await play(conversation.turn('Now.', { model: large }))

  expect(large.requests[0]?.messages).toHaveLength(22)
})

test('one message that is too long by itself is left to the provider to refuse', async () => {
  const model = createScriptedModel(['Hm.'], { announcement: '', contextTokens: 1_000 })
  const host = testHost([], [], { model })

  const events = await play(host.turn('x'.repeat(20_000)))

  expect(events.at(-1)).toMatchObject({ reason: 'answered' })
  expect(model.requests[0]?.messages.at(-1)).toMatchObject({ role: 'user' })
})

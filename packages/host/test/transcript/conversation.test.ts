import { isTranscript, replayTranscript, type TranscriptEntry } from '@parley/host'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { call, consentBy, inProcess, of, play, testHost } from '../playing.ts'

function counter() {
  const server = createServer({ name: 'counter', version: '1.0.0' })
  let count = 0
  server.tool('next', {}, () => String((count += 1)))
  return server
}

test('keeps the conversation across turns; a server gets only what a call needs [HOST-13] [CHAT-07]', async () => {
  const host = testHost(
    [call('counter__next'), 'One.', 'You said first.'],
    [inProcess('counter', counter())],
  )
  await play(host.turn('first'))
  await play(host.turn('What did I say?'))

  const roles = host.model.requests[2]?.messages.map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
})

test('a transcript is stored, read again, replayed without calls, and gone on with', async () => {
  const stored: TranscriptEntry[] = []
  const store = {
    append: async (_: string, entries: readonly TranscriptEntry[]) => void stored.push(...entries),
  }
  const first = testHost([call('counter__next'), 'One.'], [inProcess('counter', counter())], {
    store,
  })
  const conversation = first.conversation()
  await play(conversation.turn('Count.'))

  const kept: unknown = JSON.parse(
    JSON.stringify({ version: 1, id: conversation.id, entries: stored }),
  )
  if (!isTranscript(kept)) throw new Error('it is not a transcript')
  expect(kept).toEqual(JSON.parse(JSON.stringify(conversation.transcript())))
  const consent = consentBy()
  const second = testHost(['Two.'], [inProcess('counter', counter())], { consent })
  expect([...replayTranscript(kept)].map(({ type }) => type)).toEqual([
    'server',
    'server',
    'call',
    'decision',
    'result',
    'text',
    'end',
  ])
  const again = second.conversation(kept)
  expect(again.flow).toEqual({ untrusted: true, private: false })
  await play(again.turn('On.'))
  expect(second.model.requests[0]?.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
  expect(consent.asked).toEqual([])
})

test('what is kept of a result is bounded, however long it was', async () => {
  const server = createServer({ name: 'wordy', version: '1.0.0' })
  server.tool('talk', {}, () => 'x'.repeat(1_000_000))
  const host = testHost([call('wordy__talk'), 'Done.'], [inProcess('wordy', server)])
  const conversation = host.conversation()

  const events = await play(conversation.turn('Go.'))

  expect(JSON.stringify(events).length).toBeGreaterThan(1_000_000)
  expect(JSON.stringify(conversation.transcript()).length).toBeLessThan(400_000)
})

test('a fork begins with the first turns and leaves the first conversation alone', async () => {
  const host = testHost(({ index }) => `answer ${index}`, [])
  const conversation = host.conversation()
  await play(conversation.turn('one'))
  await play(conversation.turn('two'))

  const fork = conversation.fork({ turns: 1 })
  await play(fork.turn('other'))

  expect(fork.id).not.toBe(conversation.id)
  expect(conversation.messages).toHaveLength(4)
  expect(
    fork.messages.map((message) => ('text' in message ? message.text : message.content[0])),
  ).toEqual([
    { type: 'text', text: 'one' },
    'answer 0',
    { type: 'text', text: 'other' },
    'answer 2',
  ])
})

test('a store that fails does not end the turn, and is told', async () => {
  const store = { append: () => Promise.reject(new Error('disk full')) }
  const host = testHost(['Hello.'], [], { store })

  const events = await play(host.turn('Hi.'))

  expect(events.at(-1)).toMatchObject({ reason: 'answered' })
  expect(events.at(-2)).toMatchObject({
    type: 'notice',
    message: 'the turn was not stored: disk full',
  })
})

test('prompts, resources and templates of all servers are listed with their server, and go to the model when chosen [HOST-05] [NS-04] [PUI-07] [RUI-03] [PUI-01]', async () => {
  const server = createServer({ name: 'docs', version: '1.0.0' })
  server.prompt(
    'review',
    { argumentsSchema: z.object({ file: z.string() }) },
    ({ file }) => `Review ${file}.`,
  )
  server.resource('docs://intro', { name: 'intro' }, () => 'Welcome.')
  const host = testHost(['Read.'], [inProcess('docs', server)])
  await host.start()

  expect(host.prompts).toMatchObject([{ server: 'docs', name: 'review' }])
  expect(host.resources).toMatchObject([{ server: 'docs', uri: 'docs://intro' }])
  const { messages } = await host.prompt('docs', 'review', { file: 'a.ts' })
  expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Review a.ts.' }] }])

  const attachments = [{ server: 'docs', uri: 'docs://intro' }]
  const conversation = host.conversation()
  const events = await play(
    conversation.turn({ messages, attachments, content: [{ type: 'text', text: 'Go.' }] }),
  )

  expect(events).toContainEqual(expect.objectContaining({ code: 'attached', server: 'docs' }))
  expect(conversation.flow.untrusted).toBe(true)
  const [prompt, asked] = conversation.messages
  expect(prompt).toEqual(messages[0])
  expect(JSON.stringify(asked)).toContain('Welcome.')
})

test('one prompt starts work that goes through several servers [HOST-18]', async () => {
  const guide = createServer({ name: 'guide', version: '1.0.0' })
  guide.prompt('plan-trip', { argumentsSchema: z.object({ to: z.string() }) }, ({ to }) => [
    { role: 'user', content: { type: 'text', text: `Look up ${to}, then book it.` } },
  ])
  const [travel, calendar] = ['travel', 'calendar'].map((name) => {
    const server = createServer({ name, version: '1.0.0' })
    server.tool('use', {}, () => `${name} was used`)
    return inProcess(name, server)
  })
  const host = testHost(
    [call('travel__use'), call('calendar__use'), 'Booked.'],
    [inProcess('guide', guide), travel, calendar].filter((one) => one !== undefined),
  )
  await host.start()
  const { messages } = await host.prompt('guide', 'plan-trip', { to: 'Rome' })
  const conversation = host.conversation()

  const content = [{ type: 'text', text: 'Go.' }] as const
  const events = await play(conversation.turn({ messages, content }))

  expect(of(events, 'result').map(({ server, isError }) => [server, isError])).toEqual([
    ['travel', false],
    ['calendar', false],
  ])
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'answered', text: 'Booked.' })
  expect(conversation.messages[0]).toEqual(messages[0])
})

test('nothing is attached by itself, however much a server wants it [HDEC-05] [RUI-11]', async () => {
  const server = createServer({ name: 'docs', version: '1.0.0' })
  let reads = 0
  const annotations = { priority: 1, audience: ['assistant' as const] }
  server.resource('docs://intro', { name: 'intro', annotations }, () => {
    reads += 1
    return 'Welcome.'
  })
  const host = testHost(['Read.'], [inProcess('docs', server)])

  await play(host.turn('Go.'))

  expect(reads).toBe(0)
  expect(JSON.stringify(host.model.requests[0]?.messages)).not.toContain('docs://intro')
})

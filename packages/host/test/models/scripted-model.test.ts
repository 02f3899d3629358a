import {
  ModelError,
  type ModelEvent,
  type ModelMessage,
  type ModelTool,
  createScriptedModel,
  type ScriptedModel,
} from '@parley/host/models'
import { expect, test } from 'vitest'

const quiet = { announcement: '' }
const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] }
const echo: ModelTool = { name: 'everything_echo', inputSchema: { type: 'object' } }

test('says before its first text, and only there, that it is scripted', async () => {
  const model = createScriptedModel([{ calls: [{ name: 'echo' }] }, 'First.', 'Second.'])

  const texts = [await textOf(model), await textOf(model), await textOf(model)]

  expect(texts).toEqual(['', '[Scripted: no language model wrote this.]\nFirst.', 'Second.'])
})

test('gives text in pieces, reasoning, usage and what the provider wants back', async () => {
  const model = createScriptedModel(
    [
      {
        reasoning: 'hm',
        text: ['Good ', 'day.'],
        finish: 'length',
        usage: { inputTokens: 3, outputTokens: 2 },
        provider: { signature: 's' },
      },
    ],
    quiet,
  )

  expect(await ask(model)).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Good ' },
    { type: 'text', text: 'day.' },
    {
      type: 'finish',
      reason: 'length',
      usage: { inputTokens: 3, outputTokens: 2 },
      provider: { signature: 's' },
    },
  ])
})

test('asks for several calls at once, also with arguments that are no JSON', async () => {
  const model = createScriptedModel([
    {
      calls: [
        { name: 'one', arguments: { a: 1 } },
        { name: 'two', argumentsText: '{"a":' },
      ],
    },
    { calls: [{ name: 'three', id: 'mine' }, { name: 'four' }] },
  ])

  expect(await ask(model)).toEqual([
    { type: 'call', call: { id: 'call-1', name: 'one', argumentsText: '{"a":1}' } },
    { type: 'call', call: { id: 'call-2', name: 'two', argumentsText: '{"a":' } },
    { type: 'finish', reason: 'calls' },
  ])
  expect(await ask(model)).toMatchObject([{ call: { id: 'mine' } }, { call: { id: 'call-4' } }, {}])
})

test('makes a turn from the request, and keeps every request', async () => {
  const model = createScriptedModel(async ({ messages, tools, index }) => {
    await Promise.resolve()
    return `${index}: ${messages.length} messages, ${tools.length} tools`
  }, quiet)

  expect(await textOf(model, [hello], [echo])).toBe('0: 1 messages, 1 tools')
  expect(await textOf(model)).toBe('1: 0 messages, 0 tools')
  expect(model.requests.map((request) => request.messages)).toEqual([[hello], []])
})

test('fails in mid-answer with the error of the script', async () => {
  const cut = new ModelError('unreachable', 'the stream was cut')
  const model = createScriptedModel([{ text: 'Half', error: cut }], quiet)
  const seen: ModelEvent[] = []

  await expect(ask(model, [], [], undefined, seen)).rejects.toBe(cut)
  expect(seen).toEqual([{ type: 'text', text: 'Half' }])
})

test('says how long the script is when it has ended', async () => {
  const model = createScriptedModel(['only one'])
  await ask(model)

  await expect(ask(model)).rejects.toMatchObject({
    code: 'refused',
    message: 'the script has 1 turn, and this is request 2: add a turn, or pass a function',
  })
})

test('waits for promises before the answer and after its first piece', async () => {
  const order: string[] = []
  const model = createScriptedModel(
    [
      {
        waitFor: () => Promise.resolve().then(() => order.push('waited')),
        text: ['a', 'b'],
        pauseUntil: () => Promise.resolve().then(() => order.push('paused')),
      },
    ],
    quiet,
  )
  const stop = new AbortController()
  for await (const event of model.stream([], [], { signal: stop.signal })) {
    order.push(event.type === 'text' ? event.text : event.type)
  }

  expect(order).toEqual(['waited', 'a', 'paused', 'b', 'finish'])
})

test.each(['waitFor', 'pauseUntil'] as const)('ends at once when aborted in %s', async (where) => {
  const never = new Promise<never>(() => undefined)
  const stop = new AbortController()
  const model = createScriptedModel(
    [{ text: ['a', 'b'], [where]: () => Promise.resolve().then(() => (stop.abort(), never)) }],
    quiet,
  )

  const events = await ask(model, [], [], stop.signal)

  expect(events).toEqual(where === 'waitFor' ? [] : [{ type: 'text', text: 'a' }])
})

test('says nothing when it was aborted before', async () => {
  const model = createScriptedModel([{ waitFor: new Promise<never>(() => undefined) }])

  expect(await ask(model, [], [], AbortSignal.abort())).toEqual([])
})

test('without a script it lists its tools, calls the one it is told to, and repeats the result', async () => {
  const model = createScriptedModel(undefined, quiet)

  expect(await textOf(model, [hello], [echo])).toContain('- everything_echo')
  expect(await textOf(model, [hello])).toContain('add a server')
  expect(await ask(model, [said('call echo {"message":"hi"}')], [echo])).toMatchObject([
    { text: 'I call everything_echo.' },
    { call: { name: 'everything_echo', argumentsText: '{"message":"hi"}' } },
    { reason: 'calls' },
  ])
  expect(await textOf(model, [said('call nothing')], [echo])).toContain('no tool "nothing"')
  expect(await textOf(model, [said('call echo hi')], [echo])).toContain('as a JSON object')
  const result: ModelMessage = {
    role: 'tool',
    callId: 'call-1',
    name: 'everything_echo',
    content: [{ type: 'text', text: 'hi' }],
    isError: false,
  }
  expect(await textOf(model, [result, result], [echo])).toBe('The result is:\n\nhi\n\nhi')
})

function said(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

async function ask(
  model: ScriptedModel,
  messages: readonly ModelMessage[] = [],
  tools: readonly ModelTool[] = [],
  signal: AbortSignal = new AbortController().signal,
  events: ModelEvent[] = [],
): Promise<readonly ModelEvent[]> {
  for await (const event of model.stream(messages, tools, { signal })) events.push(event)
  return events
}

async function textOf(...args: Parameters<typeof ask>): Promise<string> {
  const events = await ask(...args)
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}

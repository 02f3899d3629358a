import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { createHost, type HostObserver, type HostServer } from '@parley/host'
import { ModelError, createScriptedModel, type Model } from '@parley/host/models'
import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { record, type Recorder } from './recorder.ts'

const allow = {
  decide: async (calls: readonly unknown[]) =>
    calls.map(() => ({ decision: 'allow' as const, rule: 'all' })),
}

/** A host with one server, watched. */
function createWatched({ observer }: Recorder, model: Model, codeMode = false) {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('look', {}, () => 'looked')
  const notes: HostServer = {
    name: 'notes',
    target: { open: (options) => connect(server, options), hash: 'notes' },
  }
  const watching: HostObserver = observer // what `telemetry()` gives is one
  return createHost({ servers: [notes], model, consent: allow, observer: watching, codeMode })
}

async function play(recorder: Recorder, model: Model, signal?: AbortSignal): Promise<void> {
  await using host = createWatched(recorder, model)
  for await (const event of host.turn('Look.', { signal })) void event
}

test('a turn is a span, with its requests to the model and to servers below it', async () => {
  const recorder = record()
  const model = createScriptedModel(
    [({ tools }) => ({ calls: tools.map(({ name }) => ({ name })) }), { text: 'done' }],
    { name: 'openai/gpt-5' },
  )
  await play(recorder, model)

  const [turn, ...others] = recorder.spans().filter(({ name }) => name === 'invoke_agent')
  expect(others).toEqual([])
  expect(turn?.kind).toBe(SpanKind.INTERNAL)
  expect(turn?.status.code).toBe(SpanStatusCode.UNSET)
  expect(turn?.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5',
    'gen_ai.conversation.id': expect.any(String) as string,
    'parley.turn.end_reason': 'answered',
  })
  const below = recorder
    .spans()
    .filter((span) => span.parentSpanContext?.spanId === turn?.spanContext().spanId)
  expect(below.map(({ name, kind }) => [name, kind])).toEqual(
    expect.arrayContaining([
      ['chat gpt-5', SpanKind.CLIENT],
      ['tools/call look', SpanKind.CLIENT],
      ['chat gpt-5', SpanKind.CLIENT],
    ]),
  )
  const reasons = below
    .filter(({ name }) => name === 'chat gpt-5')
    .map(({ attributes }) => attributes['gen_ai.response.finish_reasons'])
  expect(reasons).toEqual([['tool_calls'], ['stop']])
})

/** Answers with what it cost. */
const counting: Model = {
  name: 'scripted',
  async *stream() {
    yield { type: 'text', text: 'a secret answer' }
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: 300, outputTokens: 7 } }
  },
}

test('tokens and durations of requests to the model are counted, and what was said is not told', async () => {
  const recorder = record({ values: true })
  await play(recorder, counting)

  const [chat] = recorder.spans().filter(({ name }) => name === 'chat scripted')
  expect(chat?.attributes).toMatchObject({
    'gen_ai.provider.name': '_OTHER',
    'gen_ai.usage.input_tokens': 300,
    'gen_ai.usage.output_tokens': 7,
  })
  const told = recorder.spans().map(({ attributes, events }) => [attributes, events])
  expect(JSON.stringify(told)).not.toContain('secret')
  const used = await recorder.points('gen_ai.client.token.usage')
  expect(
    used.map(({ attributes, value }) => [
      attributes['gen_ai.token.type'],
      (value as { sum: number }).sum,
    ]),
  ).toEqual([
    ['input', 300],
    ['output', 7],
  ])
  const [duration] = await recorder.points('gen_ai.client.operation.duration')
  expect(duration?.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': '_OTHER',
    'gen_ai.request.model': 'scripted',
  })
})

test('a model that fails makes both spans errors, without a key in their words', async () => {
  const recorder = record()
  await play(recorder, {
    name: 'openai/gpt-5',
    // eslint-disable-next-line require-yield -- it fails before it says anything
    async *stream() {
      throw new ModelError('unauthorized', 'refused: Bearer sk-1234567890')
    },
  })

  const failed = recorder.spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['chat gpt-5', 'unauthorized'],
    ['invoke_agent', 'model-error'],
  ])
  const told = failed.map(({ status, events }) => [status, events])
  expect(JSON.stringify(told)).not.toContain('sk-1234567890')
  const [duration] = await recorder.points('gen_ai.client.operation.duration')
  expect(duration?.attributes['error.type']).toBe('unauthorized')
})

test('a turn that is stopped says so, and so does its request to the model', async () => {
  const recorder = record()
  const stop = new AbortController()
  await play(
    recorder,
    {
      name: 'scripted',
      async *stream() {
        yield { type: 'text', text: 'I th' }
        stop.abort()
      },
    },
    stop.signal,
  )

  const failed = recorder.spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['chat scripted', 'cancelled'],
    ['invoke_agent', 'cancelled'],
  ])
})

test('a program of the model is a span, with the requests of its calls below it', async () => {
  const recorder = record()
  const program = (code: string) => ({ calls: [{ name: 'run_code', arguments: { code } }] })
  const model = createScriptedModel([
    program('await tools.notes__look()\nreturn await tools.notes__look()'),
    program('for (;;) unknown()'),
    { text: 'done' },
  ])
  await using host = createWatched(recorder, model, true)
  for await (const event of host.turn('Look.')) void event

  const [first, second] = recorder.spans().filter(({ name }) => name === 'execute_tool run_code')
  expect(first?.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'run_code',
    'parley.program.id': expect.any(String) as string,
    'parley.program.calls': 2,
    'parley.program.cpu_ms': expect.any(Number) as number,
  })
  expect(first?.status.code).toBe(SpanStatusCode.UNSET)
  expect(second?.attributes).toMatchObject({ 'error.type': 'threw', 'parley.program.calls': 0 })
  const below = recorder
    .spans()
    .filter((span) => span.parentSpanContext?.spanId === first?.spanContext().spanId)
  expect(below.map(({ name }) => name)).toEqual(['tools/call look', 'tools/call look'])
})

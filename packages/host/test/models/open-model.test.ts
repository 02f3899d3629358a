import {
  type ModelEvent,
  type ModelRetry,
  type ModelTool,
  openModel,
  type OpenModelOptions,
} from '@parley/host/models'
import { describe, expect, test } from 'vitest'

import { openModelEndpoint, type ModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { ask, messageOf, resultOf, said, textOf } from './model-events.ts'

const add: ModelTool = {
  name: 'calculator_add',
  description: 'Adds two numbers',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
}
const noInput: ModelTool = { name: 'clock_now', inputSchema: { type: 'object' } }
const question = said('What is 1 + 2?')
const key = 'test-key-0123456789'
const quick = { retry: { minDelayMs: 1 } }

interface Form {
  readonly form: string
  readonly path: string
  readonly options: (endpoint: ModelEndpoint) => OpenModelOptions
}

const forms: readonly Form[] = [
  {
    form: 'an OpenAI-compatible endpoint',
    path: '/v1/chat/completions',
    options: ({ baseUrl }) => ({ name: 'stub-model', baseUrl, key, ...quick }),
  },
  {
    form: "OpenAI's chat completions",
    path: '/v1/chat/completions',
    options: ({ baseUrl }) => ({
      name: 'openai/gpt-4.1',
      key,
      ...quick,
      fetch: (input, init) => {
        const { href } = new URL(input instanceof Request ? input.url : input)
        return fetch(href.replace('https://api.openai.com/v1', baseUrl), init)
      },
    }),
  },
  {
    form: "OpenAI's responses",
    path: '/v1/responses',
    options: ({ baseUrl }) => ({ name: 'openai/gpt-5', baseUrl, api: 'responses', key, ...quick }),
  },
  {
    form: "Anthropic's messages",
    path: '/v1/messages',
    options: ({ origin }) => ({ name: 'anthropic/claude-test', baseUrl: origin, key, ...quick }),
  },
]

describe.each(forms)('$form', ({ path, options }) => {
  test('streams text as it comes, and tells how it ended', async () => {
    const arrived: string[] = []
    let resume: (value?: undefined) => void = () => undefined
    const gate = new Promise((resolve) => (resume = resolve))
    await using endpoint = await openModelEndpoint(
      { text: ['One ', 'two.'], pauseUntil: gate },
      { key },
    )

    const events: ModelEvent[] = []
    const { signal } = new AbortController()
    const model = openModel(options(endpoint))
    for await (const event of model.stream([question], [], { signal })) {
      events.push(event)
      if (event.type === 'text') arrived.push(event.text)
      if (arrived.length === 1) resume()
    }

    expect(arrived).toEqual(['One ', 'two.'])
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'stop',
      usage: { inputTokens: 12, outputTokens: 7 },
    })
    expect(endpoint.requests.map((request) => request.path)).toEqual([path])
  })

  test('reads parallel calls in fragments, and takes their results back', async () => {
    await using endpoint = await openModelEndpoint([
      {
        text: 'Wait.',
        calls: [
          { name: 'calculator_add', arguments: { a: 1, b: 2 } },
          { name: 'clock_now', arguments: {} },
        ],
      },
      'It is 3.',
    ])
    const model = openModel(options(endpoint))

    const first = await ask(model, [question], [add, noInput])
    const asked = messageOf(first)
    const calls = first.flatMap((event) => (event.type === 'call' ? [event.call] : []))
    const results = calls.map(({ id, name }) => resultOf(id, name, 'result'))
    const second = await ask(model, [question, asked, ...results], [add, noInput])

    expect(calls.map(({ name, argumentsText }) => [name, argumentsText])).toEqual([
      ['calculator_add', '{"a":1,"b":2}'],
      ['clock_now', '{}'],
    ])
    expect(first.at(-1)).toMatchObject({ type: 'finish', reason: 'calls' })
    // OpenAI refuses a schema of an object without this.
    expect(JSON.stringify(endpoint.requests[0]?.body)).toContain('"properties":{}')
    expect(textOf(second)).toBe('It is 3.')
  })

  test('hands on arguments that are no JSON as they are, and takes them back', async () => {
    await using endpoint = await openModelEndpoint([
      { calls: [{ name: 'calculator_add', argumentsText: '{"a":1,' }] },
      'Sorry.',
    ])
    const model = openModel(options(endpoint))

    const first = await ask(model, [question], [add])
    const [call] = first.flatMap((event) => (event.type === 'call' ? [event.call] : []))
    const result = resultOf(call?.id ?? '', 'calculator_add', 'The arguments are no JSON.')
    const second = await ask(model, [question, messageOf(first), result], [add])

    expect(call?.argumentsText).toBe('{"a":1,')
    expect(textOf(second)).toBe('Sorry.')
    expect(JSON.stringify(endpoint.requests[1]?.body)).toContain('unreadable')
  })

  test('sends instructions, limits and whether tools may be used', async () => {
    await using endpoint = await openModelEndpoint({ text: 'Cut', finish: 'length' })
    const model = openModel(options(endpoint))

    const events = await ask(model, [{ role: 'system', text: 'Be brief.' }, question], [add], {
      maxTokens: 50,
      toolChoice: 'required',
    })

    const body = JSON.stringify(endpoint.requests[0]?.body)
    expect(body).toContain('Be brief.')
    expect(body).toMatch(/"max_(output_|completion_)?tokens":50/)
    expect(body).toMatch(/"tool_choice":("required"|\{"type":"any")/)
    expect(events.at(-1)).toMatchObject({ reason: 'length' })
  })

  test('tries again after 429 and 500, says so, and waits as long as it is told to', async () => {
    await using endpoint = await openModelEndpoint([
      { status: 429, headers: { 'retry-after-ms': '3' } },
      { status: 500 },
      'Here.',
    ])
    const retries: ModelRetry[] = []

    const events = await ask(openModel(options(endpoint)), [question], [], {
      onRetry: (retry) => retries.push(retry),
    })

    expect(textOf(events)).toBe('Here.')
    expect(retries).toMatchObject([
      { attempt: 1, delayMs: 3, reason: expect.stringContaining('(429)') },
      { attempt: 2, reason: expect.stringContaining('(500)') },
    ])
  })

  test('gives up after the tries it has', async () => {
    await using endpoint = await openModelEndpoint({ status: 503 })
    const model = openModel({ ...options(endpoint), retry: { maxAttempts: 3, minDelayMs: 1 } })

    await expect(ask(model, [question])).rejects.toMatchObject({ code: 'unreachable', status: 503 })
    expect(endpoint.requests).toHaveLength(3)
  })

  test.each(['connection', 'end'] as const)(
    'reports a stream that was cut (%s), and neither tries again nor hands on half a call',
    async (cut) => {
      await using endpoint = await openModelEndpoint({
        text: 'Half',
        calls: [{ name: 'calculator_add', arguments: { a: 1, b: 2 } }],
        cut,
      })
      const seen: ModelEvent[] = []

      const asking = ask(openModel(options(endpoint)), [question], [add], {}, seen)

      await expect(asking).rejects.toMatchObject({ name: 'ModelError', code: 'unreachable' })
      expect(seen).toEqual([{ type: 'text', text: 'Half' }])
      expect(endpoint.requests).toHaveLength(1)
    },
  )

  test('reports an error in mid-stream with what the provider says', async () => {
    await using endpoint = await openModelEndpoint({ text: 'Half', errorInStream: 'overloaded' })

    await expect(ask(openModel(options(endpoint)), [question])).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('overloaded'),
    })
    expect(endpoint.requests).toHaveLength(1)
  })

  test('stops at once when aborted, and the endpoint notices', async () => {
    const never = new Promise<never>(() => undefined)
    await using endpoint = await openModelEndpoint({ text: ['One ', 'two.'], pauseUntil: never })
    const stop = new AbortController()

    const events: ModelEvent[] = []
    const model = openModel(options(endpoint))
    for await (const event of model.stream([question], [], { signal: stop.signal })) {
      events.push(event)
      stop.abort()
    }

    expect(events).toEqual([{ type: 'text', text: 'One ' }])
    expect(await endpoint.requests[0]?.ended).toBe('aborted')
  })

  test('names the variable when the key is refused, and never shows the key', async () => {
    await using endpoint = await openModelEndpoint({
      status: 401,
      message: `Incorrect key: ${key}`,
    })

    const thrown: unknown = await ask(openModel(options(endpoint)), [question]).catch(
      (error: unknown) => error,
    )

    expect(thrown).toMatchObject({
      code: 'unauthorized',
      status: 401,
      message: expect.stringMatching(/(OPENAI|ANTHROPIC)_API_KEY/),
    })
    expect(inspectDeep(thrown)).not.toContain(key)
    expect(endpoint.requests).toHaveLength(1)
  })

  test('tells an unknown model and a long conversation apart from trouble', async () => {
    await using endpoint = await openModelEndpoint([
      { status: 404, message: 'no such model' },
      { status: 400, message: 'prompt is too long: 300000 tokens' },
      { status: 429, message: 'You exceeded your current quota' },
    ])
    const model = openModel(options(endpoint))

    const messages: string[] = []
    for (let index = 0; index < 3; index += 1) {
      const asking = ask(model, [question])
      await expect(asking).rejects.toMatchObject({ code: 'refused' })
      messages.push(String(await asking.catch((error: unknown) => error)))
    }

    expect(messages[0]).toMatch(/has no model/)
    expect(messages[1]).toMatch(/too long for this model/)
    expect(messages[2]).toMatch(/quota/)
    expect(endpoint.requests).toHaveLength(3)
  })
})

/** Everything that a log could show of an error. */
function inspectDeep(error: unknown): string {
  const parts: string[] = []
  for (let one = error; one instanceof Error; one = one.cause) {
    parts.push(String(one), one.stack ?? '', JSON.stringify(one, Object.getOwnPropertyNames(one)))
  }
  return parts.join('\n')
}

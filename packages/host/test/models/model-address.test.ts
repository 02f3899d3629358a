import { readdir, readFile } from 'node:fs/promises'

import { type KeyQuestion, openModel } from '@parley/host/models'
import { expect, test } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { resolveModelName } from '../../src/models/model-name.ts'
import { ask, said, textOf } from './model-events.ts'

const question = said('Hello?')
const env = {}

test.each([
  ['openai/gpt-5', {}, 'openai-chat', 'gpt-5', 'https://api.openai.com/v1'],
  ['openai/gpt-5', { api: 'responses' }, 'openai-responses', 'gpt-5', 'https://api.openai.com/v1'],
  ['openai/m', { baseUrl: 'http://127.0.0.1:1/v1/' }, 'compatible', 'm', 'http://127.0.0.1:1/v1'],
  ['anthropic/claude', {}, 'anthropic', 'claude', 'https://api.anthropic.com/v1'],
  ['anthropic/c', { baseUrl: 'http://[::1]:1' }, 'anthropic', 'c', 'http://[::1]:1/v1'],
  ['m', { baseUrl: 'http://h/x', api: 'messages' }, 'anthropic', 'm', 'http://h/x'],
  ['ollama/llama3:8b', {}, 'compatible', 'llama3:8b', 'http://127.0.0.1:11434/v1'],
  ['lmstudio/qwen/qwen3', {}, 'compatible', 'qwen/qwen3', 'http://127.0.0.1:1234/v1'],
  ['llamacpp/m', {}, 'compatible', 'm', 'http://127.0.0.1:8080/v1'],
  ['vllm/openai/gpt-oss', {}, 'compatible', 'openai/gpt-oss', 'http://127.0.0.1:8000/v1'],
  ['org/model', { baseUrl: 'http://h/v1' }, 'compatible', 'org/model', 'http://h/v1'],
] as const)('%s with %o is understood', (name, options, form, id, baseUrl) => {
  expect(resolveModelName(name, { ...options, env })).toMatchObject({ form, id, baseUrl })
})

test('the variables of the environment change where OpenAI and Anthropic are', () => {
  const variables = { OPENAI_BASE_URL: 'http://one/v1', ANTHROPIC_BASE_URL: 'http://two' }

  expect(resolveModelName('openai/m', { env: variables }).baseUrl).toBe('http://one/v1')
  expect(resolveModelName('anthropic/m', { env: variables }).baseUrl).toBe('http://two/v1')
})

test.each([
  [{ name: 'gpt-5' }, /has no provider: write openai\/NAME/],
  [{ name: 'openai/' }, /is incomplete: write PROVIDER\/NAME/],
  [{ name: 'm', baseUrl: 'localhost' }, /is not an address: write https:\/\/HOST\/v1/],
  [{ name: 'm', baseUrl: 'ftp://h/v1' }, /is not an address/],
  [{ name: 'm', baseUrl: 'http://me:secret@h/v1' }, /^((?!secret).)*pass the key instead/],
])('%o is refused with what to write', (options, message) => {
  expect(() => openModel(options)).toThrow(message)
})

test('a key is taken from the options, then the secret store, then the environment', async () => {
  await using endpoint = await openModelEndpoint('Yes.')
  const base = { name: 'm', baseUrl: endpoint.baseUrl, env: { OPENAI_API_KEY: 'of-environment' } }
  const secrets = { get: async (name: string) => (name === 'OPENAI_API_KEY' ? 'kept' : undefined) }

  for (const options of [{ secrets, key: 'given' }, { secrets }, {}, { env: {} }]) {
    await ask(openModel({ ...base, ...options }), [question])
  }

  const sent = endpoint.requests.map((request) => request.headers.authorization)
  expect(sent).toEqual(['Bearer given', 'Bearer kept', 'Bearer of-environment', undefined])
})

test("Anthropic's key goes into its own header", async () => {
  await using endpoint = await openModelEndpoint('Yes.', { key: 'right' })
  const { baseUrl } = endpoint

  const model = openModel({ name: 'anthropic/m', baseUrl, env: { ANTHROPIC_API_KEY: 'right' } })

  expect(textOf(await ask(model, [question]))).toBe('Yes.')
  expect(endpoint.requests[0]?.headers['x-api-key']).toBe('right')
})

test('a key that is missing is asked for once, and kept', async () => {
  const stored = new Map<string, string>()
  const asked: string[] = []
  const model = openModel({
    name: 'openai/gpt-5',
    env: {},
    secrets: {
      get: async (name) => stored.get(name),
      set: async (name, value) => void stored.set(name, value),
    },
    askKey: async (variable) => {
      asked.push(variable)
      return ' typed '
    },
    fetch: async () => Response.json({ error: { message: 'later' } }, { status: 400 }),
  })

  await Promise.allSettled([ask(model, [question]), ask(model, [question])])
  await Promise.allSettled([ask(model, [question])])

  expect(asked).toEqual(['OPENAI_API_KEY'])
  expect([...stored]).toEqual([['OPENAI_API_KEY', 'typed']])
})

test('a key that the provider refuses is asked for again, and goes to no other host', async () => {
  await using endpoint = await openModelEndpoint('Yes.', { key: 'right' })
  const stored = new Map([['OPENAI_API_KEY', 'old']])
  const asked: object[] = []
  const options = {
    name: 'm',
    baseUrl: endpoint.baseUrl,
    env: {},
    secrets: {
      get: async (name: string) => stored.get(name),
      set: async (name: string, value: string) => void stored.set(name, value),
    },
    askKey: async (variable: string, { model, host, isRejected }: KeyQuestion) => {
      asked.push({ variable, model, host, isRefused: isRejected })
      return 'right'
    },
  }

  expect(textOf(await ask(openModel(options), [question]))).toBe('Yes.')
  expect(textOf(await ask(openModel(options), [question]))).toBe('Yes.')

  const host = `127.0.0.1:${endpoint.port}`
  expect(asked).toEqual([{ variable: 'OPENAI_API_KEY', model: 'm', host, isRefused: true }])
  expect(stored.get('OPENAI_API_KEY')).toBe('old')
  expect(stored.get(`OPENAI_API_KEY ${host}`)).toBe('right')
})

test('a second key that is refused ends the turn', async () => {
  await using endpoint = await openModelEndpoint('Yes.', { key: 'right' })
  let count = 0
  const model = openModel({
    name: 'm',
    baseUrl: endpoint.baseUrl,
    key: undefined,
    env: { OPENAI_API_KEY: 'wrong' },
    askKey: async () => `wrong-${(count += 1)}`,
  })

  await expect(ask(model, [question])).rejects.toMatchObject({ code: 'unauthorized' })
  expect(count).toBe(1)
})

test('a provider that wants a key is not asked without one', async () => {
  const model = openModel({
    name: 'openai/gpt-5',
    env: {},
    fetch: () => expect.fail('it was asked'),
  })

  await expect(ask(model, [question])).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'openai/gpt-5 needs a key: set OPENAI_API_KEY, or pass one',
  })
})

test('the key for OpenAI does not go to a local server that nobody named', () => {
  const address = resolveModelName('ollama/llama3', { env: { OPENAI_API_KEY: 'k' } })

  expect(address.keyVariable).toBeUndefined()
})

test('says what to start where nothing listens, at once', async () => {
  const baseUrl = `http://127.0.0.1:${await findFreePort()}/v1`
  const retries: unknown[] = []

  const asking = ask(openModel({ name: 'ollama/llama3', baseUrl }), [question], [], {
    onRetry: (retry) => retries.push(retry),
  })

  await expect(asking).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/nothing listens at .* start it \(ollama serve\)/),
  })
  expect(retries).toEqual([])
})

test('does not wait for a provider that asks for more than the limit', async () => {
  await using endpoint = await openModelEndpoint({
    status: 429,
    headers: { 'retry-after': '3600' },
  })

  await expect(
    ask(openModel({ name: 'm', baseUrl: endpoint.baseUrl }), [question]),
  ).rejects.toMatchObject({ code: 'unreachable', status: 429 })
  expect(endpoint.requests).toHaveLength(1)
})

test('ends a pause between tries when aborted', async () => {
  await using endpoint = await openModelEndpoint({ status: 429, headers: { 'retry-after': '50' } })
  const stop = new AbortController()

  const events = await ask(openModel({ name: 'm', baseUrl: endpoint.baseUrl }), [question], [], {
    signal: stop.signal,
    onRetry: ({ delayMs }) => {
      expect(delayMs).toBe(50_000)
      stop.abort()
    },
  })

  expect(events).toEqual([])
})

test('gives up on an endpoint that says nothing', async () => {
  const never = new Promise<never>(() => undefined)
  await using endpoint = await openModelEndpoint({ waitFor: never })
  const model = openModel({ name: 'm', baseUrl: endpoint.baseUrl, silenceMs: 50 })

  await expect(ask(model, [question])).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('said nothing for 0.05 s'),
  })
})

test('an address that answers with a page is reported with what to check', async () => {
  const page = '<html><body>\u001B[31mWelcome</body></html>'
  await using endpoint = await openModelEndpoint([
    { status: 200, body: page },
    { status: 418, body: page },
  ])
  const model = openModel({ name: 'm', baseUrl: endpoint.baseUrl, retry: { maxAttempts: 1 } })

  await expect(ask(model, [question])).rejects.toThrow(
    /check the base URL: it usually ends in \/v1/,
  )
  await expect(ask(model, [question])).rejects.toThrow(/\(418\). The provider says: \[31mWelcome$/)
})

test('the packages of the providers are loaded when a model is opened, not before', async () => {
  const folder = new URL('../../src/', import.meta.url)
  const files = await readdir(folder, { recursive: true })
  const sources = files.filter((file) => file.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(10)

  for (const file of sources) {
    const text = await readFile(new URL(file, folder), 'utf8')
    expect(text, file).not.toMatch(/^(import|export) (?!type)[^\n]*'@ai-sdk/m)
    if (file.startsWith('models')) expect(text, file).not.toMatch(/^import .*foundation\/secrets'/m)
  }
})

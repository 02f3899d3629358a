import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { findLocalModels, openModel } from '@parley/host/models'
import { expect, test } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { openLoggedServer, type Answer } from '../../../../test-support/http-log.ts'
import { openModelEndpoint } from '../../../../test-support/model-endpoint.ts'
import { ask, said, textOf } from './model-events.ts'

/** None of the usual ports: whoever runs this may have one of these servers. */
const none = { ollama: false, lmstudio: false, llamacpp: false, vllm: false } as const

test('finds the models of local servers, which can be opened as they are', async () => {
  await using ollama = await openModelEndpoint('Hello.', { models: ['llama3:8b', 'qwen3'] })
  await using studio = await openModelEndpoint('Hi.', { models: ['org/model'] })
  const closed = await findFreePort()

  const ports = { ...none, ollama: ollama.port, lmstudio: studio.port, vllm: closed }
  const found = await findLocalModels({ ports, timeoutMs: 30_000 })

  expect(found.map(({ name }) => name)).toEqual([
    'ollama/llama3:8b',
    'ollama/qwen3',
    'lmstudio/org/model',
  ])
  const [first] = found
  expect(textOf(await ask(openModel(first!), [said('Hello?')]))).toBe('Hello.')
})

test.each<[string, Answer]>([
  ['a page', { body: '<html>' }],
  ['other JSON', { body: { models: [] } }],
  ['names with control characters', { body: { data: [{ id: 'a\u001B[31m' }, { id: 5 }, null] } }],
  ['an error', { status: 500, body: { data: [{ id: 'm' }] } }],
  ['more than a megabyte', { body: { data: [{ id: 'm' }], more: 'x'.repeat(1_100_000) } }],
])('%s at a port is no model', async (_, answer) => {
  await using server = await openLoggedServer(() => answer)
  const port = Number(new URL(server.origin).port)

  expect(await findLocalModels({ ports: { ...none, vllm: port }, timeoutMs: 30_000 })).toEqual([])
  expect(server.paths()).toEqual(['GET /v1/models'])
})

test('follows no redirect: the answer comes from loopback, or not at all', async () => {
  await using elsewhere = await openModelEndpoint('', { models: ['elsewhere'] })
  await using server = await openLoggedServer(() => ({
    status: 302,
    headers: { location: `${elsewhere.baseUrl}/models` },
  }))
  const port = Number(new URL(server.origin).port)

  expect(await findLocalModels({ ports: { ...none, vllm: port }, timeoutMs: 30_000 })).toEqual([])
})

test('does not wait for a server that hangs', async () => {
  const hanging = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const { port } = hanging.address() as AddressInfo // it listens on a port

  const found = await findLocalModels({ ports: { ...none, llamacpp: port }, timeoutMs: 20 })
  hanging.close()

  expect(found).toEqual([])
})

test('ends at once when aborted', async () => {
  const signal = AbortSignal.abort()

  expect(await findLocalModels({ signal, timeoutMs: 60_000 })).toEqual([])
})

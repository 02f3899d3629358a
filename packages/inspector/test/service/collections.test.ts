import { expect, onTestFinished, test } from 'vitest'

import type { Assertion, Collection } from '../../src/protocol/index.ts'
import { serveEverything } from './everything.ts'
import { openPage } from './page-client.ts'

async function openEverything() {
  const everything = await serveEverything()
  const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  await page.ask('servers/connect', { name: 'all' })
  return page
}

function collection(assertions: readonly Assertion[], name = 'echo'): Collection {
  return {
    name: 'smoke',
    variables: { who: 'Ada' },
    requests: [
      {
        id: 'one',
        title: 'Says hello',
        server: 'all',
        method: 'tools/call',
        params: { name, arguments: { message: 'Hello {{who}}, {{unknown}}' } },
        assertions,
      },
    ],
  }
}

test.each<readonly [Assertion, boolean]>([
  [{ kind: 'succeeds' }, true],
  [{ kind: 'fails' }, false],
  [{ kind: 'equals', pointer: '/content/0/text', value: 'Echo: Hello Ada, {{unknown}}' }, true],
  [{ kind: 'equals', pointer: '/content/0/text', value: 'Echo: Hello' }, false],
  [{ kind: 'equals', pointer: '/content/7', value: null }, false],
  [{ kind: 'matches', pointer: '/content/0/text', pattern: '^Echo: .*Ada' }, true],
  [{ kind: 'matches', pointer: '/content/0/text', pattern: 'Bob' }, false],
  [{ kind: 'matches', pointer: '', pattern: '(' }, false],
  [{ kind: 'schema', pointer: '/content', schema: { type: 'array', minItems: 1 } }, true],
  [{ kind: 'schema', pointer: '/content', schema: { type: 'object' } }, false],
  [{ kind: 'latency', atMostMs: 60_000 }, true],
  [{ kind: 'latency', atMostMs: 0 }, false],
])('%j is %j for an echo', async (assertion, passed) => {
  const page = await openEverything()
  await page.ask('collections/save', collection([assertion]))

  const { results } = await page.ask('collections/run', { name: 'smoke' })

  expect(results[0]?.assertions[0]?.passed).toBe(passed)
  expect(results[0]?.passed).toBe(passed)
})

test('what should fail may, and what should not may not', async () => {
  const page = await openEverything()

  await page.ask('collections/save', collection([{ kind: 'fails' }], 'no-such-tool'))
  const expected = await page.ask('collections/run', { name: 'smoke' })
  await page.ask('collections/save', collection([], 'no-such-tool'))
  const unexpected = await page.ask('collections/run', { name: 'smoke' })

  expect(expected.results[0]?.passed).toBe(true)
  expect(unexpected.results[0]).toMatchObject({
    passed: false,
    outcome: { error: { code: 'invalid_params' } },
  })
})

test('a server that is not connected fails its requests, not the others', async () => {
  const page = await openEverything()
  const { requests, ...rest } = collection([])
  const [request] = requests
  if (request === undefined) throw new Error('there is one')
  await page.ask('collections/save', {
    ...rest,
    requests: [
      { ...request, server: 'nobody' },
      { ...request, id: 'two' },
    ],
  })

  const { results } = await page.ask('collections/run', { name: 'smoke' })

  expect(results.map(({ passed }) => passed)).toEqual([false, true])
})

test('collections are saved, replaced, kept and removed', async () => {
  await using first = await openPage()
  await first.ask('collections/save', collection([]))
  const replaced = await first.ask('collections/save', collection([{ kind: 'succeeds' }]))
  await first.inspector.close()
  await using second = await openPage({ stateDirectory: first.stateDirectory })
  const { collections } = await second.ask('state/get', {})
  const removed = await second.ask('collections/remove', { name: 'smoke' })

  expect(replaced).toHaveLength(1)
  expect(collections).toEqual([collection([{ kind: 'succeeds' }])])
  expect(removed).toEqual([])
  await expect(second.ask('collections/run', { name: 'smoke' })).rejects.toThrow(
    'unknown_collection',
  )
})

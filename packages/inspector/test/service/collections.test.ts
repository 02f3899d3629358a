import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  type Assertion,
  type Collection,
  type CollectionRun,
  readCollection,
} from '@parley/inspector'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { writeCollection } from '../../src/service/runs/collection-file.ts'
import {
  boundHistory,
  cutRun,
  maxReplyBytes,
  maxHistoryBytes,
  maxRunsKept,
} from '../../src/service/runs/kept-runs.ts'
import { openRunHistory } from '../../src/service/runs/run-history.ts'
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

test('runs are there after the next start, for our user only, and gone with their collection', async () => {
  await using everything = await serveEverything()
  const servers = [{ name: 'all', entry: everything.entry }]
  await using first = await openPage({ servers })
  await first.ask('servers/connect', { name: 'all' })
  await first.ask('collections/save', collection([{ kind: 'succeeds' }]))
  const failed = await first.ask('collections/save', collection([{ kind: 'fails' }]))
  await first.ask('collections/run', { name: 'smoke' })
  await first.ask('collections/save', collection([{ kind: 'succeeds' }]))
  const newest = await first.ask('collections/run', { name: 'smoke' })
  await first.inspector.close()

  await using second = await openPage({ servers, stateDirectory: first.stateDirectory })
  const kept = await second.ask('collections/runs', { name: 'smoke' })
  const { mode } = await stat(join(first.stateDirectory, 'collection-runs.json'))
  await second.ask('collections/remove', { name: 'smoke' })
  await second.inspector.close()

  expect(failed).toHaveLength(1)
  expect(kept).toHaveLength(2)
  expect(kept[0]).toEqual(JSON.parse(JSON.stringify(newest)))
  expect(kept.map(({ results }) => results[0]?.passed)).toEqual([true, false])
  expect(mode & 0o077).toBe(0)
  await using third = await openPage({ stateDirectory: first.stateDirectory })
  expect(await third.ask('collections/runs', { name: 'smoke' })).toEqual([])
})

function runAt(at: number, name = 'smoke', text = ''): CollectionRun {
  const outcome = { run: 'r', durationMs: 1, result: { text } }
  return {
    collection: name,
    at,
    results: [{ request: 'a', outcome, assertions: [], passed: true }],
  }
}

test('two inspectors keep their runs in one file', async () => {
  await using page = await openPage()
  const directory = page.stateDirectory
  const one = await openRunHistory(directory, (run) => run)
  const other = await openRunHistory(directory, (run) => run)

  for (let at = 0; at < 5; at += 1) {
    one.add(runAt(at * 2))
    other.add(runAt(at * 2 + 1))
  }
  await Promise.all([one.flush(), other.flush()])
  const both = await openRunHistory(directory, (run) => run)

  expect(both.of('smoke').map(({ at }) => at)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
})

test('a history that somebody broke is no history, and no failure', async () => {
  await using page = await openPage()
  const path = join(page.stateDirectory, 'collection-runs.json')
  const broken = ['{', '[]', '{"runs":7}', '{"runs":[null,{"collection":"a"},{"at":1}]}']

  for (const text of broken) {
    await writeFile(path, text)
    const history = await openRunHistory(page.stateDirectory, (run) => run)
    expect(history.of('a')).toEqual([])
  }
})

test('only so many runs are kept, and only so much of them', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 200 }),
          name: fc.constantFrom('a', 'b'),
          size: fc.integer({ min: 0, max: 300_000 }),
        }),
        { maxLength: 120 },
      ),
      (runs) => {
        const kept = boundHistory(
          runs.map(({ at, name, size }) => runAt(at, name, 'x'.repeat(size))),
        )

        for (const name of ['a', 'b']) {
          const own = kept.filter(({ collection: of }) => of === name)
          expect(own.length).toBeLessThanOrEqual(maxRunsKept)
          expect(new Set(own.map(({ at }) => at)).size).toBe(own.length)
        }
        expect(kept.map(({ at }) => at)).toEqual(kept.map(({ at }) => at).toSorted((x, y) => y - x))
        expect(JSON.stringify(kept).length).toBeLessThan(maxHistoryBytes + 1000)
      },
    ),
    { numRuns: tries(30) },
  )
})

test('an answer that is too large is left out, its size is not', () => {
  const large = 'x'.repeat(maxReplyBytes)

  const [cut] = cutRun(runAt(1, 'a', large)).results
  const [whole] = cutRun(runAt(1, 'a', 'small')).results

  expect(cut?.cutBytes).toBeGreaterThan(maxReplyBytes)
  expect(cut?.outcome).toEqual({ run: 'r', durationMs: 1 })
  expect(whole?.outcome.result).toEqual({ text: 'small' })
})

test('what must stay secret is not in the history', async () => {
  await using everything = await serveEverything()
  const secret = 'a-key-that-is-known-to-be-one'
  const entry = { ...everything.entry, headers: { authorization: `Bearer ${secret}` } }
  await using page = await openPage({ servers: [{ name: 'all', entry }] })
  await page.ask('servers/connect', { name: 'all' })
  await page.ask('collections/save', { ...collection([]), variables: { who: secret } })
  await page.ask('collections/run', { name: 'smoke' })
  await page.inspector.close()

  const text = await readFile(join(page.stateDirectory, 'collection-runs.json'), 'utf8')
  expect(text).toContain('Echo: Hello')
  expect(text).not.toContain(secret)
})

test('a collection goes through a file, and gets another name where its own is taken', async () => {
  await using page = await openPage()
  const saved = collection([{ kind: 'latency', atMostMs: 5 }])
  await page.ask('collections/save', saved)

  const file = await page.ask('collections/export', { name: 'smoke' })
  const imported = await page.ask('collections/import', { text: file.text })

  expect(file.name).toBe('smoke.collection.json')
  expect(imported.name).toBe('smoke 2')
  expect(imported.collections).toEqual([saved, { ...saved, name: 'smoke 2' }])
  expect(readCollection(writeCollection(saved))).toEqual(saved)
})

test.each<[string, string, RegExp]>([
  ['no JSON', '{', /not a JSON object/],
  ['something else', '{"name":"a"}', /parley-collection/],
  ['a later version', '{"format":"parley-collection","version":2}', /version 2/],
  [
    'a collection with a fault',
    '{"format":"parley-collection","version":1,"name":"a"}',
    /variables|requests/,
  ],
])('what is no collection is refused: %s', async (_, text, why) => {
  await using page = await openPage()

  await expect(page.ask('collections/import', { text })).rejects.toThrow(why)
  expect((await page.ask('state/get', {})).collections).toEqual([])
})

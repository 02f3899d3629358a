import { mkdtempSync, readFileSync, statSync, writeFileSync, appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  createFileLedgers,
  createMemoryLedger,
  createSandbox,
  ProgramCallError,
  runWithLedger,
  type LedgerEntry,
  type RunWithLedgerOptions,
} from '@parley/code'
import { afterAll, expect, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'

const sandbox = createSandbox()
afterAll(() => sandbox[Symbol.asyncDispose]())

const program = `const before = [Date.now(), Math.random()]
const all = await Promise.all([3, 1, 2].map((ms) => tools.wait({ ms }).catch((error) => error.message)))
await sleep(1)
const last = await tools.wait({ ms: 0, order: all }).catch((error) => error.message)
return { before, after: [Date.now(), Math.random()], all, last }`

/** Calls that end in an order of their own, and what reached the server. */
function server(more: Partial<RunWithLedgerOptions> = {}) {
  const sent: unknown[] = []
  const options: RunWithLedgerOptions = {
    tools: ['wait'],
    clock: { now: 1_790_000_000_000, seed: 7 },
    async call({ arguments: args }, { beforeSend }) {
      if (args['ms'] === 2) throw new ProgramCallError('denied', 'not this one')
      await beforeSend()
      sent.push(args)
      for (let at = 0; at < Number(args['ms']) * 3; at += 1) await new Promise(setImmediate)
      return args
    },
    ...more,
  }
  return { sent, options }
}

test('a program goes on from any place of its ledger: same value, no call twice', async () => {
  const first = server()
  const ledger = createMemoryLedger()
  const outcome = await runWithLedger(sandbox, program, ledger, first.options)
  expect(outcome).toMatchObject({
    ok: true,
    value: { all: [{ ms: 3 }, { ms: 1 }, 'not this one'] },
  })
  expect(ledger.entries.at(-1)).toEqual({ type: 'end', outcome: 'returned' })

  for (let length = 1; length < ledger.entries.length; length += 1) {
    const kept = ledger.entries.slice(0, length)
    const again = server({ clock: { now: 5, seed: 5 } }) // those of the ledger count
    const resumed = createMemoryLedger(kept)
    const second = await runWithLedger(sandbox, program, resumed, again.options)

    const isUnknown = kept.some(
      (entry) =>
        entry.type === 'sent' &&
        !kept.some((other) => other.type === 'answer' && other.index === entry.index),
    )
    expect(second).toMatchObject({ ok: true })
    if (!isUnknown && outcome.ok && second.ok) {
      expect(Object(second.value)).toMatchObject({
        before: Object(outcome.value).before,
        all: Object(outcome.value).all,
      })
    }
    const sentBefore = kept.filter(({ type }) => type === 'sent').length
    expect(again.sent).toHaveLength(4 - 1 - sentBefore)
    // Replayed once more, the whole of it goes the same way without any call.
    const third = server()
    const replayed = createMemoryLedger(resumed.entries.slice(0, -1))
    expect(await runWithLedger(sandbox, program, replayed, third.options)).toMatchObject({
      ok: true,
      value: second.ok ? second.value : undefined,
    })
    expect(third.sent).toEqual([])
  }
})

test('a call that was sent and has no answer is not repeated: the program learns that the outcome is unknown', async () => {
  const { sent, options } = server()
  const ledger = createMemoryLedger()
  await runWithLedger(sandbox, 'return await tools.wait({ ms: 1 })', ledger, options)
  const kept = ledger.entries.filter(({ type }) => type === 'begin' || type === 'sent')

  const outcome = await runWithLedger(
    sandbox,
    'return await tools.wait({ ms: 1 })',
    createMemoryLedger(kept),
    options,
  )

  expect(outcome).toMatchObject({
    ok: false,
    kind: 'threw',
    message: expect.stringContaining('the outcome is unknown'),
  })
  expect(sent).toHaveLength(1)
})

test.each<[string, (entry: LedgerEntry) => LedgerEntry, string]>([
  [
    'other arguments',
    (entry) => (entry.type === 'answer' ? { ...entry, hash: 'other' } : entry),
    'its call 0 was wait (arguments other), and now is wait',
  ],
  [
    'another tool',
    (entry) => (entry.type === 'answer' ? { ...entry, name: 'other' } : entry),
    'its call 0 was other',
  ],
  [
    'fewer calls',
    (entry) => (entry.type === 'answer' ? { ...entry, index: 9 } : entry),
    'it waits, and has not made its call 9',
  ],
  [
    'another engine',
    (entry) => (entry.type === 'begin' ? { ...entry, engine: 'old' } : entry),
    'it was run by old',
  ],
])('ends as diverged before anything is sent: %s', async (_, change, message) => {
  const source = 'await tools.wait({ ms: 1 })'
  const ledger = createMemoryLedger()
  await runWithLedger(sandbox, source, ledger, server().options)
  const entries = ledger.entries
    .filter(({ type }) => type === 'begin' || type === 'answer')
    .map(change)
  const { sent, options } = server({
    call: ({ index }) => (index === 0 ? Promise.resolve(1) : Promise.reject(new Error('sent'))),
  })

  const outcome = await runWithLedger(sandbox, source, createMemoryLedger(entries), options)

  expect(outcome).toMatchObject({
    ok: false,
    kind: 'diverged',
    message: expect.stringContaining(message),
  })
  expect(sent).toEqual([])
})

test('what cannot be written down is not sent', async () => {
  const { sent, options } = server()
  const ledger = createMemoryLedger()
  const full = {
    entries: ledger.entries,
    append: (entry: LedgerEntry) =>
      entry.type === 'sent' ? Promise.reject(new Error('the disk is full')) : ledger.append(entry),
  }

  const outcome = await runWithLedger(sandbox, 'await tools.wait({ ms: 1 })', full, options)

  expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('the disk is full') })
  expect(sent).toEqual([])
})

test('a stopped run is not over, and goes on later', async () => {
  const stop = new AbortController()
  const ledger = createMemoryLedger()
  const source = 'await tools.wait({ ms: 1 })\nreturn await tools.wait({ ms: 0 })'
  const first = server({ signal: stop.signal })
  const stopped = await runWithLedger(sandbox, source, ledger, {
    ...first.options,
    async call(call, context) {
      if (call.index === 1) {
        setImmediate(() => stop.abort())
        return new Promise(() => undefined) // a question that nobody answers
      }
      return first.options.call(call, context)
    },
  })
  expect(stopped).toMatchObject({ ok: false, kind: 'cancelled' })
  expect(ledger.entries.map(({ type }) => type)).toEqual(['begin', 'sent', 'answer'])

  const second = server()
  expect(await runWithLedger(sandbox, source, ledger, second.options)).toMatchObject({
    ok: true,
    value: { ms: 0 },
  })
  expect(second.sent).toEqual([{ ms: 0 }])
})

test('a paused run waits for what was sent, sends nothing more, and goes on without an unknown outcome', async () => {
  const pause = new AbortController()
  const ledger = createMemoryLedger()
  const source = `const all = await Promise.all([3, 1, 0].map((ms) => tools.wait({ ms })))
    return [...all, await tools.wait({ ms: 0 })].length`
  const first = server()
  const paused = await runWithLedger(sandbox, source, ledger, {
    ...first.options,
    pause: pause.signal,
    async call(call, context) {
      if (call.index === 1) pause.abort()
      return first.options.call(call, context)
    },
  })
  expect(paused).toMatchObject({ ok: false, kind: 'paused' })
  expect(ledger.entries.map(({ type }) => type)).toEqual(['begin', 'sent', 'answer'])
  expect(first.sent).toEqual([{ ms: 3 }])

  const second = server()
  expect(await runWithLedger(sandbox, source, ledger, second.options)).toMatchObject({
    ok: true,
    value: 4,
  })
  expect(second.sent).toEqual([{ ms: 1 }, { ms: 0 }, { ms: 0 }])
})

test('files hold whole entries only, and belong to one process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgers-'))
  const ledgers = createFileLedgers(folder)
  const { options } = server()
  await ledgers.open('a-1', (ledger) =>
    runWithLedger(sandbox, 'return await tools.wait({ ms: 1 })', ledger, options),
  )
  const path = join(folder, 'a-1.jsonl')
  const text = readFileSync(path, 'utf8')
  appendFileSync(path, '{"type":"answer","ind')

  const types = await ledgers.open('a-1', async ({ entries }) => entries.map(({ type }) => type))

  expect(types).toEqual(['begin', 'sent', 'answer', 'end'])
  expect(readFileSync(path, 'utf8')).toBe(text)
  await expect(ledgers.open('../a', async () => 1)).rejects.toThrow('is no id of a program')
  writeFileSync(path, '{"type":"other"}\n')
  await expect(ledgers.open('a-1', async () => 1)).rejects.toThrow('a line that is no entry')
})

testOnPosix('files of ledgers can be read by their owner alone', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'ledgers-')), 'own')
  await createFileLedgers(folder).open('a', (ledger) =>
    ledger.append({ type: 'end', outcome: 'x' }),
  )

  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'a.jsonl')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ])
})

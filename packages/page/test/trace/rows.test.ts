import { expect, test } from 'vitest'

import { readEntry } from '../../src/trace/rows/entry.ts'
import { createRowTable, durationOf, statusOf } from '../../src/trace/rows/rows.ts'
import { summarize } from '../../src/trace/rows/summary.ts'
import { callRecords, messageRecord } from './records.ts'

test('a request, its progress and its answer are one row', () => {
  const table = createRowTable()

  for (const record of callRecords(1, 'echo', 42)) table.add(readEntry(record))

  const [row] = table.top
  expect(table.top).toHaveLength(1)
  expect(row && statusOf(row)).toBe('ok')
  expect(row && durationOf(row)).toBe(42)
  expect(row?.children.map(({ entry }) => entry.label)).toEqual(['notifications/progress'])
  expect(table.find(3)).toBe(row)
})

test('an answer that names no request finds it by its id, on its own connection and way', () => {
  const table = createRowTable()
  table.add(readEntry(messageRecord(1, { id: 7, method: 'ping' })))
  table.add(readEntry(messageRecord(2, { id: 7, method: 'ping' }, { connection: 'two' })))
  table.add(readEntry(messageRecord(3, { id: 7, method: 'roots/list' }, { direction: 'in' })))

  table.add(readEntry(messageRecord(4, { id: 7, result: {} })))
  table.add(readEntry(messageRecord(5, { id: 7, result: {} }, { direction: 'out' })))

  expect(table.top.map(({ entry, answer }) => [entry.seq, answer?.seq])).toEqual([
    [1, 4],
    [2, undefined],
    [3, 5],
  ])
})

test('a number and a text are different ids', () => {
  const table = createRowTable()
  table.add(readEntry(messageRecord(1, { id: 7, method: 'ping' })))

  table.add(readEntry(messageRecord(2, { id: '7', result: {} })))

  expect(table.top).toHaveLength(2)
})

test('a tool that failed, an error and a refused HTTP request are errors', () => {
  const table = createRowTable()
  for (const record of callRecords(1, 'bad', 5, true)) table.add(readEntry(record))
  table.add(readEntry(messageRecord(4, { id: 9, method: 'x' })))
  table.add(readEntry(messageRecord(5, { id: 9, error: { code: -1, message: 'no' } })))
  const http = { kind: 'http', stream: 'h1', message: undefined } as const
  table.add(readEntry(messageRecord(6, {}, { ...http, direction: 'out', text: 'POST /mcp' })))
  table.add(readEntry(messageRecord(7, {}, { ...http, direction: 'in', details: { status: 401 } })))

  expect(table.top.map(statusOf)).toEqual(['error', 'error', 'error'])
})

test('a message of any shape is a row, and never a fault', () => {
  const odd = [null, 7, 'text', [], {}, { id: {}, method: 5 }, { method: 'a', params: [1] }]
  const table = createRowTable()

  for (const [index, message] of odd.entries()) {
    table.add(readEntry({ ...messageRecord(index + 1, {}), message }))
  }

  expect(table.top).toHaveLength(odd.length)
})

test('the oldest rows are forgotten with all they hold', () => {
  const table = createRowTable()
  for (let call = 0; call < 100; call++) {
    for (const record of callRecords(call * 3 + 1, 'echo', 5)) table.add(readEntry(record))
  }

  table.trim(30)

  expect(table.count).toBe(30)
  expect(table.top[0]?.entry.seq).toBe(271)
  expect(table.find(1)).toBeUndefined()
})

test('percentiles are those of the answered rows, and the rate counts all', () => {
  const table = createRowTable()
  for (let call = 0; call < 100; call++) {
    for (const record of callRecords(call * 3 + 1, 'echo', call + 1)) table.add(readEntry(record))
  }
  table.add(readEntry(messageRecord(1000, { id: 'open', method: 'ping' })))

  const { p50, p95, p99, answered, rows, counts } = summarize(table.top, 10)

  expect([p50, p95, p99, answered, rows]).toEqual([50, 95, 99, 100, 101])
  expect(counts.reduce((sum, count) => sum + count)).toBe(101)
})

test('requests without an answer end with their connection, a time limit or a cancellation', () => {
  const table = createRowTable()
  const status = (text: string) => ({ kind: 'status', message: undefined, text }) as const
  const cancelled = { method: 'notifications/cancelled' }
  for (const seq of [1, 2, 3]) {
    table.add(readEntry(messageRecord(seq, { id: seq, method: 'tools/call' })))
  }
  table.add(readEntry(messageRecord(4, { id: 4, method: 'subscriptions/listen' })))
  table.add(readEntry(messageRecord(5, { id: 5, method: 'ping' }, { connection: 'two' })))
  const before = table.top.map(statusOf)

  const late = { ...cancelled, params: { requestId: 2, reason: 'ping took longer than 5 ms' } }
  table.add(readEntry(messageRecord(6, late, { parent: 2 })))
  const unwanted = { ...cancelled, params: { requestId: 3, reason: 'the user cancelled it' } }
  table.add(readEntry(messageRecord(7, unwanted, { parent: 3 })))
  table.add(readEntry(messageRecord(8, {}, status('closed'))))

  expect(before).toEqual(['pending', 'pending', 'pending', 'open', 'pending'])
  expect(table.top.slice(0, 5).map(statusOf)).toEqual([
    'lost',
    'timed out',
    'cancelled',
    'plain',
    'pending',
  ])
  expect(table.top.slice(0, 3).map(durationOf)).toEqual([70, 40, 40])
})

test('an answer that comes late still counts', () => {
  const table = createRowTable()
  table.add(readEntry(messageRecord(1, { id: 1, method: 'tools/call' })))
  const params = { requestId: 1 }
  table.add(
    readEntry(messageRecord(2, { method: 'notifications/cancelled', params }, { parent: 1 })),
  )
  table.add(readEntry(messageRecord(3, { id: 1, result: {} }, { parent: 1 })))

  expect(table.top.map(statusOf)).toEqual(['ok'])
})

test('a refused probe is no error, and the start of a program is no latency', () => {
  const table = createRowTable()
  const start = { kind: 'process', message: undefined, text: 'start node server.js' } as const
  table.add(readEntry(messageRecord(1, {}, start)))
  table.add(readEntry(messageRecord(2, { id: 1, method: 'server/discover' })))
  table.add(readEntry(messageRecord(90, { id: 1, error: { code: -32601, message: 'no' } })))
  table.add(readEntry(messageRecord(91, { id: 2, method: 'initialize' })))
  table.add(readEntry(messageRecord(92, { id: 2, result: {} })))

  const { errors, answered, p99 } = summarize(table.top, 10)

  expect(table.top.map(statusOf)).toEqual(['plain', 'probe', 'ok'])
  expect(table.top.map(durationOf)).toEqual([890, 880, 10])
  expect([errors, answered, p99]).toEqual([0, 1, 10])
})

test('what an app says is apart from what its server says, whatever the ids', () => {
  const table = createRowTable()
  const app = { direction: 'in', stream: 'app ui://shop/cart' } as const
  table.add(readEntry(messageRecord(1, { id: 7, method: 'roots/list' }, { direction: 'in' })))
  table.add(
    readEntry(messageRecord(2, { id: 7, method: 'tools/call', params: { name: 'pay' } }, app)),
  )
  table.add(readEntry(messageRecord(3, { id: 7, result: {} }, { ...app, direction: 'out' })))

  expect(table.top.map(({ entry, answer }) => [entry.label, entry.subject, answer?.seq])).toEqual([
    ['roots/list', '', undefined],
    ['tools/call', 'app · pay', 3],
  ])
})

import { createVirtualClock } from '@parley/mcp/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createMemoryEventLog } from '../../../src/transport/http/streams/memory-event-log.ts'
import { encodeEventId, readEventId } from '../../../src/transport/http/streams/sse.ts'
import { describeEventLog, describeSessionRecords } from '../../support/event-log-contract.ts'
import { createFarLog, createFarRecords, createFaults } from '../../support/faulty-store.ts'
import { createMemorySessionRecords } from '../../support/memory-session-records.ts'

describeEventLog('a log in memory', (limits, clock) => ({
  log: createMemoryEventLog(limits, clock),
}))
describeEventLog('a log far away', (limits, clock) => ({
  log: createFarLog(createMemoryEventLog(limits, clock), createFaults()),
}))
describeSessionRecords('records in memory', (clock) => ({
  records: createMemorySessionRecords(clock),
}))
describeSessionRecords('records far away', (clock) => ({
  records: createFarRecords(createMemorySessionRecords(clock), createFaults()),
}))

test('a log in memory stays within its bounds, and answers without a promise', () => {
  const limits = { events: 5, bytes: 400, keepMs: 1_000, sessionBytes: 900, totalBytes: 2_000 }
  const step = fc.record({
    sessionId: fc.constantFrom('a', 'b', '__proto__'),
    streamId: fc.constantFrom('1', '2', '3'),
    size: fc.integer({ min: 0, max: 300 }),
    after: fc.integer({ min: 0, max: 12 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const log = createMemoryEventLog(limits, createVirtualClock())
      const sent = new Map<string, string[]>()
      for (const { sessionId, streamId, size, after } of steps) {
        const key = `${sessionId} ${streamId}`
        const texts = sent.get(key) ?? []
        sent.set(key, texts)
        texts.push(`${texts.length + 1}:`.padEnd(size, 'x'))
        const ref = { sessionId, streamId }
        const batch = { firstSequence: texts.length, texts: texts.slice(-1), isLast: false }
        expect(log.append(ref, batch)).toBe(true)

        const page = log.read(ref, after, 100)
        if (page !== undefined) expect(page).toEqual({ texts: texts.slice(after), isLast: false })
        else expect(after > texts.length || texts.join('').length > 0).toBe(true)
        expect(log.bytes).toBeLessThanOrEqual(limits.totalBytes + 300)
      }
      for (const sessionId of ['a', 'b', '__proto__']) void log.dropSession(sessionId)
      expect(log.bytes).toBe(0)
    }),
  )
})

test('a log in memory keeps the newest event however large it is, and wakes who watches', () => {
  const log = createMemoryEventLog({ events: 3, bytes: 10, keepMs: 1_000 }, createVirtualClock())
  const ref = { sessionId: 's', streamId: '1' }
  let wakes = 0
  for (const firstSequence of [1, 2, 3, 4]) {
    void log.append(ref, { firstSequence, texts: ['x'.repeat(8)], isLast: false })
    if (firstSequence === 1) log.watch(ref, () => (wakes += 1))
  }

  expect(wakes).toBe(3)
  expect(log.read(ref, 3, 10)).toEqual({ texts: ['xxxxxxxx'], isLast: false })
  expect(log.read(ref, 2, 10)).toBeUndefined()
})

test('a log in memory keeps the streams of a session within bounds, ended ones go first', () => {
  const log = createMemoryEventLog({ events: 9, bytes: 99, keepMs: 60_000 }, createVirtualClock())
  const refOf = (number: number) => ({ sessionId: 's', streamId: String(number) })
  const texts = ['x']
  for (let number = 1; number <= 1_200; number += 1) {
    void log.append(refOf(number), { firstSequence: 1, texts, isLast: number !== 1 })
  }

  expect(log.read(refOf(1), 0, 1)).toBeDefined()
  expect(log.read(refOf(2), 0, 1)).toBeUndefined()
  expect(log.bytes).toBeLessThanOrEqual(1_024)
})

test('an event id names its stream and its number, and nothing else is one', () => {
  expect(readEventId(encodeEventId('ab12x1', 7))).toEqual({ streamId: 'ab12x1', sequence: 7 })
  for (const id of ['', '_', 'a_', '_1', 'a_1_1', 'A_1', 'a_1 ', 'a_1e3', 'a_1'.repeat(50)]) {
    expect(readEventId(id)).toBeUndefined()
  }
})

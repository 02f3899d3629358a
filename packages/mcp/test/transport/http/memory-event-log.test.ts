import fc from 'fast-check'
import { expect, test } from 'vitest'

import { encodeEventId, readEventId } from '../../../src/transport/http/event-id.ts'
import { createMemoryEventLog } from '../../../src/transport/http/memory-event-log.ts'

const limits = { events: 5, bytes: 400, sessionBytes: 900, totalBytes: 2_000 }

test('a log gives exactly what followed, or says that it cannot, and stays within its bounds', () => {
  const step = fc.record({
    sessionId: fc.constantFrom('a', 'b', '__proto__'),
    streamId: fc.constantFrom('1', '2', '3'),
    size: fc.integer({ min: 0, max: 300 }),
    after: fc.integer({ min: 0, max: 12 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const log = createMemoryEventLog(limits)
      const sent = new Map<string, string[]>()
      for (const { sessionId, streamId, size, after } of steps) {
        const key = `${sessionId} ${streamId}`
        const texts = sent.get(key) ?? []
        sent.set(key, texts)
        texts.push(`${texts.length + 1}:`.padEnd(size, 'x'))
        const ref = { sessionId, streamId }
        log.append(ref, { sequence: texts.length, text: texts.at(-1) ?? '' })

        const read = log.read(ref, after, 100)
        const expected = texts.slice(after)
        if (read === undefined)
          expect(expected.length === 0 || texts.join('').length > 0).toBe(true)
        else expect(read.map(({ text }) => text)).toEqual(expected)
        expect(log.bytes).toBeLessThanOrEqual(limits.totalBytes + 300)
      }
      for (const sessionId of ['a', 'b', '__proto__']) log.dropSession(sessionId)
      expect(log.bytes).toBe(0)
    }),
  )
})

test('the newest event is kept however large it is, the oldest go first', () => {
  const log = createMemoryEventLog({ events: 3, bytes: 10 })
  const ref = { sessionId: 's', streamId: '1' }
  for (const sequence of [1, 2, 3, 4]) log.append(ref, { sequence, text: 'x'.repeat(8) })

  expect(log.read(ref, 3, 10)).toEqual([{ sequence: 4, text: 'xxxxxxxx' }])
  expect(log.read(ref, 2, 10)).toBeUndefined()
  expect(log.read(ref, 4, 10)).toBeUndefined()
  log.drop(ref)
  expect(log.bytes).toBe(0)
})

test('an event id names its stream and its number, and nothing else is one', () => {
  expect(readEventId(encodeEventId('ab12x1', 7))).toEqual({ streamId: 'ab12x1', sequence: 7 })
  for (const id of ['', '_', 'a_', '_1', 'a_1_1', 'A_1', 'a_1 ', 'a_1e3', 'a_1'.repeat(50)]) {
    expect(readEventId(id)).toBeUndefined()
  }
})

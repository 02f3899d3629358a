import type { Clock } from '@parley/mcp'
import type {
  EventBatch,
  EventLog,
  ReplayLimits,
  SessionData,
  SessionRecords,
} from '@parley/mcp/http'
import { createVirtualClock, type VirtualClock } from '@parley/mcp/testing'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

/** What a log is made of; one that keeps its own time advances it by `pass`. */
export interface LogUnderTest {
  readonly log: EventLog
  pass?(ms: number): Promise<void>
}

const limits: ReplayLimits = { events: 5, bytes: 10_000, keepMs: 60_000 }
const ref = { sessionId: 's', streamId: '1' }

const batch = (firstSequence: number, texts: readonly string[], isLast = false): EventBatch => ({
  firstSequence,
  texts,
  isLast,
})

/** What every log has to do, wherever it keeps things. */
export function describeEventLog(
  name: string,
  open: (limits: ReplayLimits, clock: Clock) => LogUnderTest | Promise<LogUnderTest>,
): void {
  async function setUp() {
    const clock = createVirtualClock()
    const { log, pass = (ms) => clock.advance(ms) } = await open(limits, clock)
    return { log, pass }
  }

  describe(name, () => {
    test('gives what followed, in order, a page at a time', async () => {
      const { log } = await setUp()

      expect(await log.append(ref, batch(1, ['a', 'b']))).toBe(true)
      expect(await log.append(ref, batch(3, ['c']))).toBe(true)

      expect(await log.read(ref, 0, 2)).toEqual({ texts: ['a', 'b'], isLast: false })
      expect(await log.read(ref, 2, 2)).toEqual({ texts: ['c'], isLast: false })
      expect(await log.read(ref, 3, 2)).toEqual({ texts: [], isLast: false })
    })

    test('knows a stream from its opening on, before anything happened there', async () => {
      const { log } = await setUp()

      expect(await log.read(ref, 0, 1)).toBeUndefined()
      expect(await log.append(ref, batch(1, []))).toBe(true)

      expect(await log.read(ref, 0, 1)).toEqual({ texts: [], isLast: false })
    })

    test('says which page is the last, and keeps an ended stream as it is', async () => {
      const { log } = await setUp()
      await log.append(ref, batch(1, ['a', 'b'], true))

      expect(await log.read(ref, 0, 1)).toEqual({ texts: ['a'], isLast: false })
      expect(await log.read(ref, 1, 1)).toEqual({ texts: ['b'], isLast: true })
      expect(await log.read(ref, 2, 1)).toEqual({ texts: [], isLast: true })
      expect(await log.append(ref, batch(3, ['c']))).toBe(false)
      expect(await log.read(ref, 2, 1)).toEqual({ texts: [], isLast: true })
    })

    test('takes a batch that was sent before once, the end included', async () => {
      const { log } = await setUp()
      await log.append(ref, batch(1, ['a', 'b']))

      expect(await log.append(ref, batch(1, ['a', 'b']))).toBe(true)
      expect(await log.append(ref, batch(2, ['b', 'c'], true))).toBe(true)
      expect(await log.append(ref, batch(2, ['b', 'c'], true))).toBe(true)

      expect(await log.read(ref, 0, 10)).toEqual({ texts: ['a', 'b', 'c'], isLast: true })
    })

    test('does not take what leaves a gap: the stream is not the one the writer knows', async () => {
      const { log } = await setUp()

      expect(await log.append(ref, batch(2, ['b']))).toBe(false)
      await log.append(ref, batch(1, ['a']))
      expect(await log.append(ref, batch(3, ['c']))).toBe(false)
      expect(await log.read(ref, 0, 10)).toEqual({ texts: ['a'], isLast: false })
    })

    test('knows nothing of the future, of other streams and of other sessions [HRES-05] [SEC-09]', async () => {
      const { log } = await setUp()
      await log.append(ref, batch(1, ['a']))

      expect(await log.read(ref, 2, 10)).toBeUndefined()
      expect(await log.read({ ...ref, streamId: '2' }, 0, 10)).toBeUndefined()
      expect(await log.read({ ...ref, sessionId: 't' }, 0, 10)).toBeUndefined()
    })

    test('does not pass over what it no longer keeps', async () => {
      const { log } = await setUp()
      for (let sequence = 1; sequence <= 7; sequence += 1) {
        await log.append(ref, batch(sequence, [String(sequence)]))
      }

      expect(await log.read(ref, 1, 10)).toBeUndefined()
      expect(await log.read(ref, 2, 10)).toEqual({
        texts: ['3', '4', '5', '6', '7'],
        isLast: false,
      })
    })

    test('keeps an ended stream for its time, and an open one for longer', async () => {
      const { log, pass } = await setUp()
      const other = { ...ref, streamId: '2' }
      await log.append(ref, batch(1, ['a'], true))
      await log.append(other, batch(1, ['a']))

      await pass(59_000)
      expect(await log.append(other, batch(2, ['b']))).toBe(true)
      await pass(2_000)

      expect(await log.read(ref, 0, 10)).toBeUndefined()
      expect(await log.read(other, 0, 10)).toEqual({ texts: ['a', 'b'], isLast: false })
    })

    test('drops a session with all its streams, and no other', async () => {
      const { log } = await setUp()
      const other = { ...ref, sessionId: 't' }
      await log.append(ref, batch(1, ['a']))
      await log.append(other, batch(1, ['a']))

      await log.dropSession('s')

      expect(await log.read(ref, 0, 10)).toBeUndefined()
      expect(await log.append(ref, batch(2, ['b']))).toBe(false)
      expect(await log.read(other, 0, 10)).toEqual({ texts: ['a'], isLast: false })
    })

    test('says how long ago it was read, and how far', async () => {
      const { log, pass } = await setUp()
      await log.append(ref, batch(1, ['a']))

      expect(await log.lastRead(ref)).toBeUndefined()
      await log.read(ref, 0, 10)
      await pass(2_000)

      const { agoMs = 0, after } = (await log.lastRead(ref)) ?? {}
      expect(agoMs).toBeGreaterThanOrEqual(1_900)
      expect(agoMs).toBeLessThan(3_000)
      expect(after).toBe(0)
    })

    test('may say that there is more, until it is told to stop', async () => {
      const { log } = await setUp()
      await log.append(ref, batch(1, []))
      const wake = vi.fn<() => void>()
      const stop = log.watch(ref, wake)

      stop()
      await log.append(ref, batch(1, ['a']))

      expect(wake).not.toHaveBeenCalled()
    })

    test('gives exactly what followed, or says that it cannot, whatever was sent again', async () => {
      const step = fc.record({
        streamId: fc.constantFrom('1', '2'),
        count: fc.integer({ min: 0, max: 4 }),
        again: fc.integer({ min: 0, max: 3 }),
        after: fc.integer({ min: 0, max: 12 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const { log } = await setUp()
          const sent = new Map<string, string[]>()
          for (const { streamId, count, again, after } of steps) {
            const own = { ...ref, streamId }
            const texts = sent.get(streamId) ?? []
            sent.set(streamId, texts)
            const first = Math.max(0, texts.length - again)
            for (let added = 0; added < count; added += 1) texts.push(`${texts.length + 1}`)
            expect(await log.append(own, batch(first + 1, texts.slice(first)))).toBe(true)

            const page = await log.read(own, after, 100)
            const isStored = after <= texts.length && texts.length - after <= limits.events
            expect(page?.texts).toEqual(isStored ? texts.slice(after) : undefined)
          }
        }),
        { numRuns: tries(40) },
      )
    })
  })
}

/** Records under test; those that keep their own time advance it by `pass`. */
export interface RecordsUnderTest {
  readonly records: SessionRecords
  pass?(ms: number): Promise<void>
}

export const sampleFacts: SessionData = {
  logLevel: 'debug',
  subscriptions: ['note://one'],
  client: { clientInfo: { name: 'c', version: '1' }, capabilities: { roots: {} } },
}

/** What all records of sessions have to do. */
export function describeSessionRecords(
  name: string,
  open: (clock: VirtualClock) => RecordsUnderTest | Promise<RecordsUnderTest>,
): void {
  async function setUp() {
    const clock = createVirtualClock()
    const { records, pass = (ms) => clock.advance(ms) } = await open(clock)
    return { records, pass }
  }

  describe(name, () => {
    test('give back the facts of a session, and the number of changes', async () => {
      const { records } = await setUp()

      expect(await records.get('one')).toBeUndefined()
      expect(await records.update('one', { data: sampleFacts, version: 0 }, 10_000)).toBe(true)

      expect(await records.get('one')).toEqual({ data: sampleFacts, version: 1 })
      expect(await records.get('two')).toBeUndefined()
    })

    test('take a change only from who knows the latest', async () => {
      const { records } = await setUp()
      await records.update('one', { data: sampleFacts, version: 0 }, 10_000)
      const quiet: SessionData = { ...sampleFacts, logLevel: 'error' }

      expect(await records.update('one', { data: sampleFacts, version: 0 }, 10_000)).toBe(false)
      expect(await records.update('one', { data: quiet, version: 1 }, 10_000)).toBe(true)
      expect(await records.update('one', { data: sampleFacts, version: 1 }, 10_000)).toBe(false)

      expect(await records.get('one')).toEqual({ data: quiet, version: 2 })
    })

    test('let one of several changes at once succeed', async () => {
      const { records } = await setUp()
      await records.update('one', { data: sampleFacts, version: 0 }, 10_000)

      const written = await Promise.all(
        Array.from({ length: 8 }, async (_, number) => {
          const data = { ...sampleFacts, subscriptions: [`note://${number}`] }
          return records.update('one', { data, version: 1 }, 10_000)
        }),
      )

      expect(written.filter((isWritten) => isWritten)).toHaveLength(1)
    })

    test('forget a session after its time, counted from the last change', async () => {
      const { records, pass } = await setUp()
      await records.update('one', { data: sampleFacts, version: 0 }, 10_000)
      await pass(8_000)
      await records.update('one', { data: sampleFacts, version: 1 }, 10_000)
      await pass(8_000)

      expect(await records.get('one')).toMatchObject({ version: 2 })
      await pass(3_000)
      expect(await records.get('one')).toBeUndefined()
      expect(await records.update('one', { data: sampleFacts, version: 2 }, 10_000)).toBe(false)
    })

    test('remember that a session has ended, and take no change of it [HSESS-07]', async () => {
      const { records, pass } = await setUp()
      await records.update('one', { data: sampleFacts, version: 0 }, 100_000)

      await records.end('one', 10_000)
      await records.end('one', 10_000)
      await records.end('never changed', 10_000)

      expect(await records.get('one')).toBe('ended')
      expect(await records.get('never changed')).toBe('ended')
      const first = { data: sampleFacts, version: 0 }
      expect(await records.update('never changed', first, 10_000)).toBe(false)
      expect(await records.update('one', { data: sampleFacts, version: 1 }, 10_000)).toBe(false)
      await pass(11_000)
      expect(await records.get('one')).toBeUndefined()
    })
  })
}

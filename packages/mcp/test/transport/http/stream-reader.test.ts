import type { EventLog } from '@parley/mcp/http'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import type { StreamOutput } from '../../../src/transport/http/runtime/exchange.ts'
import { createMemoryEventLog } from '../../../src/transport/http/streams/memory-event-log.ts'
import { createStreamReader } from '../../../src/transport/http/streams/stream-reader.ts'

const ref = { sessionId: 's', streamId: '1' }
const events = 500
const size = 20_000

/** Takes one event, then makes its writer wait for the next turn. */
function createSlowOutput() {
  let drained: Promise<void> | undefined
  const texts: string[] = []
  const output: StreamOutput = {
    bufferedBytes: 0,
    get drained() {
      return drained
    },
    write(text) {
      texts.push(text)
      drained = new Promise((resolve) =>
        setImmediate(() => {
          drained = undefined
          resolve()
        }),
      )
    },
    end: () => undefined,
    destroy: () => undefined,
  }
  return { output, texts }
}

/** A log somewhere else, and how many bytes were fetched from it. */
function createCountedLog(): { readonly log: EventLog; readonly fetched: { bytes: number } } {
  const limits = { events: 10_000, bytes: 100_000_000, keepMs: 60_000 }
  const memory = createMemoryEventLog(limits, createVirtualClock())
  const fetched = { bytes: 0 }
  const log: EventLog = {
    ...memory,
    async read(stream, after, limit) {
      const page = await memory.read(stream, after, limit)
      for (const { length } of page?.texts ?? []) fetched.bytes += length
      return page
    },
  }
  return { log, fetched }
}

test('a slow reader fetches each event once, and gets all of them in order', async () => {
  const { log, fetched } = createCountedLog()
  const { output, texts } = createSlowOutput()
  const sent = Array.from({ length: events }, (_, index) => `${index} `.padEnd(size, 'x'))
  await log.append(ref, { firstSequence: 1, texts: sent, isLast: true })

  await new Promise<void>((resolve) => {
    const reader = createStreamReader({
      rules: { clock: createVirtualClock(), keepAliveMs: Infinity, releaseAfter: undefined },
      ref,
      log,
      output,
      after: 0,
      onError: (error) => {
        throw error
      },
      onClosed: resolve,
    })
    reader.begin()
    reader.wake()
  })

  expect(texts).toEqual(sent)
  expect(fetched.bytes).toBeLessThanOrEqual(1.1 * events * size)
})

test('a slow reader that is fed gets what it was fed before what it reads', async () => {
  const { log } = createCountedLog()
  const { output, texts } = createSlowOutput()
  const sent = Array.from({ length: 30 }, (_, index) => `event ${index}`)
  await log.append(ref, { firstSequence: 1, texts: [], isLast: false })

  await new Promise<void>((resolve) => {
    const reader = createStreamReader({
      rules: { clock: createVirtualClock(), keepAliveMs: Infinity, releaseAfter: undefined },
      ref,
      log,
      output,
      after: 0,
      onError: (error) => {
        throw error
      },
      onClosed: resolve,
    })
    reader.begin()
    for (let first = 0; first < sent.length; first += 10) {
      const batch = sent.slice(first, first + 10)
      const isLast = first === 20
      void log.append(ref, { firstSequence: first + 1, texts: batch, isLast })
      reader.feed(first + 1, batch, isLast)
    }
  })

  expect(texts).toEqual(sent)
})

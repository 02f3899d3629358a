import type { EventLog } from '@parley/mcp/http'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createMemoryEventLog } from '../../../src/transport/http/streams/memory-event-log.ts'
import { resumeStream } from '../../../src/transport/http/streams/resumed-stream.ts'

const ref = { sessionId: 's', streamId: '1' }

/** A stream of another process, and how often it was looked at and found alive. */
async function follow(pollMs: number) {
  const clock = createVirtualClock()
  const memory = createMemoryEventLog({ events: 9, bytes: 999, keepMs: 1_000 }, clock)
  await memory.append(ref, { firstSequence: 1, texts: [], isLast: false })
  const asked = { reads: 0, alive: 0 }
  const log: EventLog = {
    ...memory,
    read(stream, after, limit) {
      asked.reads += 1
      const page = memory.read(stream, after, limit)
      return Promise.resolve(page).then((known) => known && { ...known, writer: 'other' })
    },
    ending: {
      endIfDisconnected: () => {
        asked.alive += 1
        return false
      },
      endOwn: () => false,
    },
  }
  const output = {
    bufferedBytes: 0,
    drained: undefined,
    write: () => undefined,
    end: () => undefined,
    destroy: () => undefined,
  }
  const rules = { clock, keepAliveMs: Infinity, releaseAfter: undefined }
  const noted = () => undefined
  const after = 0
  const options = { rules, ref, log, output, after, pollMs, trace: undefined }
  const stream = resumeStream({ ...options, onError: noted, onClosed: noted })
  stream.start()
  return { clock, asked, stream }
}

test.each([500, 3_000])(
  'a stream of another process is looked at every %i ms, and its process with it, until the reader goes',
  async (pollMs) => {
    const { clock, asked, stream } = await follow(pollMs)

    for (let beat = 0; beat < 4; beat += 1) {
      await clock.advance(pollMs)
      await new Promise((resolve) => setImmediate(resolve))
    }
    stream.detach()
    await clock.advance(10 * pollMs)

    expect(asked).toEqual({ reads: 5, alive: 5 })
  },
)

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../../test-support/thorough.ts'
import type {
  BodySink,
  HttpResponse,
} from '../../../src/transport/http-client/request/http-request.ts'
import {
  readEvents,
  type ServerEvent,
} from '../../../src/transport/http-client/streams/read-events.ts'

/** An answer whose body is these chunks, which then ends or breaks. */
function answerOf(chunks: readonly Uint8Array[], broken?: Error): HttpResponse {
  return {
    status: 200,
    header: () => undefined,
    discard: async () => undefined,
    read(sink: BodySink) {
      for (const chunk of chunks) void sink.data(chunk)
      sink.end(broken)
    },
  }
}

async function eventsIn(chunks: readonly Uint8Array[]): Promise<readonly ServerEvent[]> {
  const events: ServerEvent[] = []
  await readEvents(
    answerOf(chunks),
    { answer: new Promise(() => {}), abort: () => undefined },
    {
      peer: 'test',
      maxBytes: 1_000_000,
      onEvent: (event) => void events.push(event),
      onRetry: () => undefined,
    },
  )
  return events
}

const line = fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n\0]/g, ' '))
const event = fc.record({ id: fc.option(fc.stringMatching(/^[!-~]{1,20}$/)), data: line })

test('events are the same however their bytes are cut, and an event cut short is none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(400), { maxLength: 12 }),
      fc.nat(400),
      async (events, eol, cuts, lost) => {
        const texts = events.map(
          ({ id, data }) => `${id === null ? '' : `id: ${id}${eol}`}data: ${data}${eol}${eol}`,
        )
        const bytes = new TextEncoder().encode(texts.join(''))
        const kept = bytes.subarray(0, Math.max(0, bytes.length - lost))
        const marks = [0, ...cuts.map((at) => at % (kept.length + 1)), kept.length]
        const edges = marks.toSorted((a, b) => a - b)
        const chunks = edges.slice(1).map((end, index) => kept.subarray(edges[index], end))

        const read = await eventsIn(chunks)

        const ends = texts.map((_, index) => encodedLength(texts.slice(0, index + 1)))
        // After CR LF the last line break may be read as the end of the blank line already.
        const whole = ends.filter((end) => end <= kept.length).length
        const orOneMore = ends.filter((end) => end - 1 <= kept.length).length
        expect([whole, eol === '\n' ? whole : orOneMore]).toContain(read.length)
        expect(read).toEqual(
          events.slice(0, read.length).map(({ id, data }) => ({
            name: 'message',
            id: id ?? undefined,
            data: new TextDecoder().decode(new TextEncoder().encode(data)),
          })),
        )
      },
    ),
    { numRuns: tries(300) },
  )
})

function encodedLength(texts: readonly string[]): number {
  return new TextEncoder().encode(texts.join('')).length
}

test.each([['ü'], ['a\u0001b'], ['x'.repeat(1025)], ['']])(
  'an id that fits no header is none: %j',
  async (id) => {
    const [event0] = await eventsIn([new TextEncoder().encode(`id: ${id}\ndata: 1\n\n`)])

    expect(event0).toEqual({ name: 'message', data: '1', id: undefined })
  },
)

test('a stream that breaks says so, after every event that came whole', async () => {
  const broken = new Error('reset')
  const received: string[] = []
  const answer = answerOf([new TextEncoder().encode('data: 1\n\ndata: 2')], broken)

  const reading = readEvents(
    answer,
    { answer: new Promise(() => {}), abort: () => undefined },
    {
      peer: 'test',
      maxBytes: 100,
      onEvent: ({ data }) => void received.push(data),
      onRetry: () => undefined,
    },
  )

  await expect(reading).rejects.toBe(broken)
  expect(received).toEqual(['1'])
})

import { createVirtualClock } from '@parley/mcp/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { describeMatrix } from '../support/matrix.ts'

/** Anything a server might send while calls wait; `call` stands for the id of a call that does. */
const frame = fc.oneof(
  fc.record({ kind: fc.constant('answer' as const), call: fc.nat(3), outcome: outcome() }),
  fc.record({
    kind: fc.constant('progress' as const),
    call: fc.nat(3),
    value: fc.jsonValue(),
  }),
  fc.record({
    kind: fc.constant('request' as const),
    method: fc.constantFrom(
      'ping',
      'roots/list',
      'sampling/createMessage',
      'elicitation/create',
      'tools/list',
      'x',
    ),
    params: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
  fc.record({
    kind: fc.constant('raw' as const),
    text: fc.oneof(
      fc.json(),
      fc.string().map((text) => text.replaceAll(/[\r\n]/g, '')),
      fc
        .jsonValue()
        .map((params) =>
          JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params }),
        ),
    ),
  }),
)

function outcome() {
  return fc.oneof(
    fc.constantFrom(
      { result: { content: [] } },
      { error: { code: -32602, message: 'no' } },
      { result: {} },
    ),
    fc.record({ result: fc.jsonValue() }),
    fc.record({ error: fc.jsonValue() }),
  )
}

describeMatrix(
  'any server',
  ({ rawServer }) => {
    test('leaves every call of our client ended once, every request answered once, and the connection usable [BASE-08]', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(frame, { maxLength: 25 }), async (frames) => {
          const clock = createVirtualClock()
          const server = rawServer({
            clock,
            timeouts: { idleMs: 60_000 },
            validation: { output: 'off' },
            roots: [],
            sample: () => Promise.reject(new Error('refused')),
          })
          const client = await server.accept()
          const ends = [0, 0, 0, 0]
          const ids: unknown[] = []
          for (const index of ends.keys()) {
            void client
              .callTool('x', {}, { onProgress: () => undefined })
              .catch(() => undefined)
              .finally(() => (ends[index] = (ends[index] ?? 0) + 1))
            ids.push((await server.expect('tools/call')).id)
          }

          const asked: string[] = []
          for (const [index, one] of frames.entries()) {
            switch (one.kind) {
              case 'answer':
                server.send(JSON.stringify({ jsonrpc: '2.0', id: ids[one.call], ...one.outcome }))
                break
              case 'progress': {
                const params = { progressToken: ids[one.call], progress: one.value }
                server.send({ jsonrpc: '2.0', method: 'notifications/progress', params })
                break
              }
              case 'request': {
                const id = `asked ${index}`
                asked.push(id)
                server.send({ jsonrpc: '2.0', id, method: one.method, params: one.params })
                break
              }
              case 'raw':
                server.send(one.text)
            }
          }
          await server.quiet()
          await clock.advance(60_000)
          await server.quiet()

          expect(ends).toEqual([1, 1, 1, 1])
          for (const id of asked) {
            const answers = server.received.flat().filter((message) => message.id === id)
            expect(answers).toHaveLength(1)
          }
          const pinging = client.ping()
          await server.answer('ping', {})
          expect(await pinging).toBeTypeOf('number')
          await client.close()
        }),
        { numRuns: tries(15) },
      )
    })
  },
  { channels: ['memory', 'stdio'] },
)

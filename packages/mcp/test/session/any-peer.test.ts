import { createVirtualClock } from '@parley/mcp/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { describeMatrix } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import { createSampleServer } from '../support/sample-server.ts'

/** Anything a client might send: legal, illegal, in any order. Requests get their id from their place. */
const step = fc.oneof(
  { weight: 6, arbitrary: request() },
  { weight: 2, arbitrary: notification() },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('raw' as const),
      message: fc.oneof(
        fc.jsonValue(),
        fc.record({ jsonrpc: fc.constant('2.0'), id: fc.integer(), result: fc.jsonValue() }),
        fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), error: fc.jsonValue() }),
        fc.record({ jsonrpc: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reuse' as const) }) },
)

function request() {
  const params = fc.oneof(
    fc.constantFrom(
      { name: 'count' },
      { name: 'hang' },
      { name: 'nope' },
      { name: 'greet', arguments: {} },
      { uri: 'note://one' },
      { uri: 'note://two' },
      { level: 'debug' },
      { cursor: 'x' },
      {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'any', version: '1' },
      },
    ),
    fc.dictionary(fc.string(), fc.jsonValue()),
  )
  const method = fc.oneof(
    fc.constantFrom(
      'ping',
      'initialize',
      'tools/list',
      'tools/call',
      'prompts/get',
      'prompts/list',
      'resources/read',
      'resources/subscribe',
      'logging/setLevel',
      'completion/complete',
    ),
    fc.string(),
  )
  return fc.record({ kind: fc.constant('request' as const), method, params, isText: fc.boolean() })
}

function notification() {
  return fc.record({
    kind: fc.constant('notification' as const),
    method: fc.oneof(
      fc.constantFrom(
        'notifications/initialized',
        'notifications/progress',
        'notifications/roots/list_changed',
      ),
      fc.string(),
    ),
    params: fc.dictionary(fc.string(), fc.jsonValue()),
  })
}

describeMatrix(
  'any peer',
  ({ rawClient, revision }) => {
    test.each([false, true])(
      'gets exactly one answer to each request of its own, greeted first: %j [BASE-09] [BASE-15]',
      async (isGreeted) => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
            const { server, release } = createSampleServer()
            const client = await rawClient(server, {
              silent: !isGreeted,
              clock: createVirtualClock(),
            })
            const ids: (string | number)[] = []
            for (const [index, one] of steps.entries()) {
              switch (one.kind) {
                case 'request': {
                  const id = one.isText ? `id ${index}` : index
                  ids.push(id)
                  const { method, params } = one
                  client.send({ jsonrpc: '2.0', id, method, params })
                  break
                }
                case 'notification':
                  client.send({ jsonrpc: '2.0', method: one.method, params: one.params })
                  break
                case 'reuse':
                  if (ids.length > 0) client.send({ jsonrpc: '2.0', id: ids[0], method: 'x/y' })
                  break
                case 'raw':
                  client.send(JSON.stringify(one.message))
              }
            }
            release()
            const last = await client.request('ping', undefined, 'the last one')
            expect(last.result).toEqual({})
            await client.quiet()

            const answers = new Map<unknown, number>()
            for (const { id } of client.received.flatMap<Raw>((message) => message)) {
              answers.set(id, (answers.get(id) ?? 0) + 1)
            }
            const reuses = steps.filter(({ kind }) => kind === 'reuse').length
            for (const id of ids) {
              const count = answers.get(id) ?? 0
              expect(count).toBeGreaterThanOrEqual(1)
              // An id sent again after its answer is a new request to whoever answers it.
              expect(count).toBeLessThanOrEqual(id === ids[0] ? 1 + reuses : 1)
            }
            await client.close()
            await client.service.closed
          }),
          { numRuns: revision === '2025-06-18' ? tries(25) : 10 },
        )
      },
    )
  },
  { channels: ['memory', 'stdio'] },
)

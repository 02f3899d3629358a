import type { JsonObject } from '@parley/mcp'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { createDeadlines } from '../../src/rpc/clock.ts'
import { isMcpError } from '../../src/rpc/errors/mcp-error.ts'
import { RpcError } from '../../src/rpc/errors/rpc-error.ts'
import type { RequestId } from '../../src/rpc/message.ts'
import { createPendingRequests, type PendingOptions } from '../../src/rpc/pending-requests.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

function open() {
  const clock = createVirtualClock()
  const abandoned: JsonObject[] = []
  const reports: unknown[] = []
  const requests = createPendingRequests({
    clock,
    write: (message) => void (message['id'] ?? abandoned.push(message['params'] as JsonObject)),
    decodeError: ({ message }) => new RpcError('internal_error', message),
    report: (error) => void reports.push(error),
  })

  /** False if the response is to nothing that waits. */
  function respond(id: RequestId, result: JsonObject): boolean {
    const before = reports.length
    requests.response({ kind: 'result', id, result })
    return reports.length === before
  }

  /** Starts a request and keeps how it ended, how often and when. */
  function start(options: Partial<PendingOptions> = {}) {
    const outcome = {
      id: 0 as RequestId,
      endedAt: -1,
      count: 0,
      result: undefined as unknown,
      error: undefined as unknown,
    }
    function end(): void {
      outcome.count += 1
      outcome.endedAt = clock.now()
    }
    const limits = { idleMs: 100, totalMs: 1_000, ...options }
    requests.send('work', undefined, { ...limits, onSent: (id) => (outcome.id = id) }).then(
      (result) => {
        outcome.result = result
        end()
      },
      (error: unknown) => {
        outcome.error = error
        end()
      },
    )
    return outcome
  }
  return { clock, requests, abandoned, start, respond }
}

describe('a request that waits', () => {
  test('never has the id of another [BASE-07] [PROG-02]', () => {
    const { start } = open()

    const ids = Array.from({ length: 1_000 }, () => start().id)

    expect(new Set(ids).size).toBe(1_000)
  })

  test('ends with its answer, and only once', async () => {
    const { clock, requests, start, respond } = open()
    const request = start()

    expect(respond(request.id, { a: 1 })).toBe(true)
    expect(respond(request.id, { a: 2 })).toBe(false)
    expect(requests.reject(request.id, new Error('late'))).toBe(false)
    await clock.advance(10_000)

    expect(request).toMatchObject({ count: 1, result: { a: 1 } })
    expect(requests.count()).toBe(0)
  })

  test('ends after silence, and its peer is told [TIME-01, TIME-02]', async () => {
    const { clock, start, abandoned } = open()
    const request = start()

    await clock.advance(5_000)

    expect(request).toMatchObject({ count: 1, endedAt: 100 })
    expect(request.error).toMatchObject({
      code: 'timeout',
      message: 'work had no frame for 100 ms',
      details: { limit: 'idle', ms: 100 },
    })
    expect(abandoned).toEqual([{ requestId: request.id, reason: (request.error as Error).message }])
  })

  test('goes on while there is progress, up to its total [TIME-04] [TIME-05]', async () => {
    const { clock, requests, start } = open()
    const request = start()

    for (let step = 0; step < 30; step += 1) {
      await clock.advance(50)
      requests.progressed({ progressToken: request.id, progress: step })
    }

    expect(request).toMatchObject({ count: 1, endedAt: 1_000 })
    expect(request.error).toMatchObject({ details: { limit: 'total', ms: 1_000 } })
  })

  test('goes on while other frames prove life', async () => {
    const { clock, requests, start } = open()
    const request = start()

    await clock.advance(60)
    requests.touchAll()
    await clock.advance(99)
    expect(request.count).toBe(0)
    await clock.advance(1)

    expect(request).toMatchObject({ count: 1, endedAt: 160 })
  })

  test('grows no older while a person is asked', async () => {
    const { clock, requests, start } = open()
    const request = start({ idleMs: 100, totalMs: 150 })

    await clock.advance(40)
    requests.pause()
    requests.pause()
    await clock.advance(10_000)
    requests.resume()
    await clock.advance(10_000)
    expect(request.count).toBe(0)
    requests.resume()
    await clock.advance(99)
    expect(request.count).toBe(0)
    await clock.advance(1)

    // 40 ms before the question, 100 after it.
    expect(request).toMatchObject({ count: 1, endedAt: 20_140 })
    expect(request.error).toMatchObject({ details: { limit: 'idle' } })
  })

  test('has its whole time if it began during the question', async () => {
    const { clock, requests, start } = open()
    requests.pause()
    await clock.advance(500)
    const request = start({ idleMs: 1_000, totalMs: 200 })
    await clock.advance(500)
    requests.resume()

    await clock.advance(5_000)

    expect(request).toMatchObject({ count: 1, endedAt: 1_200 })
    expect(request.error).toMatchObject({ details: { limit: 'total' } })
  })

  test('has limits of its own [TIME-03]', async () => {
    const { clock, start } = open()
    const [short, long] = [start({ idleMs: 10 }), start({ idleMs: 500 })]

    await clock.advance(5_000)

    expect([short.endedAt, long.endedAt]).toEqual([10, 500])
  })

  test('rejects with the reason of its signal as it is, and its peer is told', async () => {
    const { clock, start, abandoned } = open()
    const controller = new AbortController()
    const request = start({ signal: controller.signal })

    controller.abort('enough')
    await clock.advance(1_000)

    expect(request).toMatchObject({ count: 1, error: 'enough', endedAt: 0 })
    expect(abandoned).toEqual([{ requestId: request.id, reason: 'enough' }])
  })

  test('may be answered late once, and of those that never are only the last thousand are known [CANC-08]', async () => {
    const { requests, start, respond } = open()
    const controller = new AbortController()
    const ids = Array.from({ length: 1_001 }, () => start({ signal: controller.signal }).id)

    controller.abort('enough')

    expect(respond(ids[0]!, {})).toBe(false)
    expect(respond(ids[1]!, {})).toBe(true)
    expect(requests.reject(ids[1]!, new Error('again'))).toBe(false)
    expect(requests.reject(ids[1_000]!, new Error('late'))).toBe(true)
  })

  test('is not sent at all with a signal that is aborted', async () => {
    const { clock, start, abandoned } = open()
    const request = start({ signal: AbortSignal.abort('no') })

    await clock.advance(0)

    expect(request).toMatchObject({ id: 0, count: 1, error: 'no' })
    expect(abandoned).toEqual([])
  })

  test('leaves no listener and no timer behind', async () => {
    const { clock, start, respond } = open()
    const controller = new AbortController()
    const request = start({ signal: controller.signal })
    respond(request.id, {})

    controller.abort('late')
    await clock.advance(10_000)

    expect(request).toMatchObject({ count: 1, result: {} })
    expect(clock.pending).toBe(0)
  })

  test('rejects with what sending it throws', async () => {
    const { requests } = open()

    const sending = requests.send('work', undefined, {
      idleMs: 1,
      totalMs: 1,
      write: () => {
        throw new TypeError('no JSON')
      },
    })

    await expect(sending).rejects.toThrow('no JSON')
    expect(requests.count()).toBe(0)
  })
})

type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'progress' | 'touch' | 'pause' | 'resume' }

test('a deadline fires once and on time, whatever happens before [TIME-01] [TIME-05]', async () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 120 }) }),
    fc.record({ kind: fc.constantFrom('progress', 'touch', 'pause', 'resume') }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { clock, requests, abandoned, start } = open()
      const request = start({ idleMs: 100, totalMs: 300 })
      // The same, counted by hand: time that ran, and silence in it.
      let [ran, silent, pauses, expectedEnd] = [0, 0, 0, -1]
      for (const { kind, ...rest } of [...steps, { kind: 'wait', ms: 1 } as const]) {
        if (kind === 'wait') {
          const { ms } = rest as { ms: number }
          const left = Math.min(300 - ran, 100 - silent)
          if (pauses === 0 && expectedEnd === -1 && ms >= left) expectedEnd = clock.now() + left
          if (pauses === 0) [ran, silent] = [ran + ms, silent + ms]
          await clock.advance(ms)
        } else if (kind === 'pause') {
          requests.pause()
          pauses += 1
        } else if (kind === 'resume') {
          if (pauses === 0) continue
          requests.resume()
          pauses -= 1
          if (pauses === 0) silent = 0
        } else {
          if (kind === 'progress') requests.progressed({ progressToken: request.id, progress: 1 })
          else requests.touchAll()
          silent = 0
        }
      }

      expect(request.endedAt).toBe(expectedEnd)
      expect(request.count).toBe(expectedEnd === -1 ? 0 : 1)
      expect(abandoned).toHaveLength(request.count)
      if (request.count > 0) expect(isMcpError(request.error, 'timeout')).toBe(true)
    }),
    { numRuns: tries(60) },
  )
})

test('one timer serves any number of deadlines, each at its time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), async (due) => {
      const clock = createVirtualClock()
      const waiting = new Set(due)
      const fired: [number, number][] = []
      const deadlines = createDeadlines(clock, (now) => {
        for (const at of waiting) if (at <= now && waiting.delete(at)) fired.push([at, now])
        return Math.min(...waiting)
      })

      for (const at of due) deadlines.arm(at)
      expect(clock.pending).toBe(1)
      await clock.advance(100)

      expect(fired).toEqual([...new Set(due)].toSorted((a, b) => a - b).map((at) => [at, at]))
      expect(clock.pending).toBe(0)
    }),
    { numRuns: tries(30) },
  )
})

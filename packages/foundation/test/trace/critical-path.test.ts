import type { JsonValue } from '@parley/mcp'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  criticalPath,
  criticalPaths,
  formatShare,
  timeByWho,
  type CriticalPath,
  type TraceRecord,
} from '../../src/trace/index.ts'
import { answer, call, record } from './made.ts'

const question = (id: number, method = 'elicitation/create') => ({ jsonrpc: '2.0', id, method })
const reply = (id: number, result: { [name: string]: JsonValue } = {}) => ({
  jsonrpc: '2.0',
  id,
  result,
})

/** Each segment as how long it is, whom it waited for, and what it is. */
function read(path: CriticalPath | undefined) {
  return path?.segments.map(({ from, to, who, what }) => [to - from, who, what])
}

describe('the critical path of a call', () => {
  test('a plain call waits for the server', () => {
    const trace = record()
    trace.wait(5)
    const { seq } = trace.out(call(1, 'a'))
    trace.wait(12)
    const { seq: answered } = trace.in(answer(1, 'x'))

    const path = criticalPath(trace.all(), seq)

    expect(read(path)).toEqual([[12, 'server', 'the server works']])
    expect(path).toMatchObject({ from: 5, to: 17, durationMs: 12, isOpen: false })
    expect(criticalPath(trace.all(), answered)).toEqual(path)
  })

  test('a question is a person who answers, and our program that sends it', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'a'))
    trace.wait(10)
    const asked = trace.in(question(7))
    trace.wait(8000)
    const details = { question: 'q', kind: 'elicitation', how: 'accept', by: 'the user' }
    trace.tap.add({ kind: 'decision', details })
    trace.wait(2)
    trace.out(reply(7, { action: 'accept' }))
    trace.wait(30)
    trace.in(answer(1, 'x'))

    const path = criticalPath(trace.all(), seq)

    expect(read(path)).toEqual([
      [10, 'server', 'the server works'],
      [8000, 'person', 'elicitation/create: a person answers'],
      [2, 'client', 'elicitation/create: the answer is sent'],
      [30, 'server', 'the server works'],
    ])
    expect(path && timeByWho(path)).toMatchObject({ server: 40, person: 8000, client: 2 })
    expect(path?.segments[1]?.seq).toBe(asked.seq)
    expect(read(criticalPath(trace.all(), asked.seq))).toHaveLength(2)
  })

  test('a rule and a model are told apart from a person', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'a'))
    trace.in(question(7, 'sampling/createMessage'))
    trace.wait(1)
    const details = { question: 'q', kind: 'sampling', how: 'model', by: 'rule r1' }
    trace.tap.add({ kind: 'decision', details })
    trace.wait(900)
    trace.out(reply(7))
    trace.in(answer(1, 'x'))

    expect(read(criticalPath(trace.all(), seq))).toEqual([
      [1, 'client', 'sampling/createMessage: rule r1 answers'],
      [900, 'client', 'sampling/createMessage: a model answers'],
    ])
  })

  test('of two questions at once the one that ends last is waited for', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'a'))
    trace.in(question(7, 'roots/list'))
    trace.wait(5)
    trace.in(question(8, 'sampling/createMessage'))
    trace.wait(10)
    trace.out(reply(7))
    trace.wait(20)
    trace.out(reply(8))
    trace.in(answer(1, 'x'))

    expect(read(criticalPath(trace.all(), seq))).toEqual([
      [5, 'client', 'roots/list: the client answers'],
      [30, 'client', 'sampling/createMessage: the client answers'],
    ])
  })

  test('rounds of a call are one call, with the input between them', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'trip'))
    trace.wait(10)
    trace.in(reply(1, { resultType: 'input_required', requestState: 's', inputRequests: {} }))
    trace.wait(500)
    const details = { question: 'q', kind: 'elicitation', how: 'accept', by: 'the user' }
    trace.tap.add({ kind: 'decision', details })
    trace.wait(1)
    const { params } = call(2, 'trip')
    const again = { ...params, requestState: 's', inputResponses: {} }
    trace.out({ ...call(2, 'trip'), params: again })
    trace.wait(20)
    trace.in(answer(2, 'done'))

    expect(read(criticalPath(trace.all(), seq))).toEqual([
      [10, 'server', 'round 1: the server works'],
      [500, 'person', 'input: a person answers'],
      [1, 'client', 'input: the answer is sent'],
      [20, 'server', 'round 2: the server works'],
    ])
  })

  test('a task is followed to its outcome', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'research'))
    trace.wait(1)
    trace.in(reply(1, { task: { taskId: 't', status: 'working' } }))
    for (const [id, status] of [
      [2, 'working'],
      [3, 'completed'],
    ] as const) {
      trace.wait(100)
      trace.out({ jsonrpc: '2.0', id, method: 'tasks/get', params: { taskId: 't' } })
      trace.wait(2)
      trace.in(reply(id, { taskId: 't', status }))
    }
    trace.out({ jsonrpc: '2.0', id: 4, method: 'tasks/result', params: { taskId: 't' } })
    trace.wait(3)
    trace.in(answer(4, 'found'))
    trace.wait(1000)
    trace.out({ jsonrpc: '2.0', id: 5, method: 'tasks/get', params: { taskId: 't' } })
    trace.in(reply(5, { taskId: 't', status: 'completed' }))

    expect(read(criticalPath(trace.all(), seq))).toEqual([
      [1, 'server', 'the server works'],
      [100, 'server', 'the task works'],
      [2, 'server', 'tasks/get: the server answers'],
      [100, 'server', 'the task works'],
      [2, 'server', 'tasks/get: the server answers'],
      [3, 'server', 'tasks/result: the task works'],
    ])
  })

  test.each([true, false])(
    'a look at a task is over when it is answered, however long the task goes on (begun here: %s)',
    (isBegun) => {
      const trace = record()
      if (isBegun) {
        trace.out(call(1, 'research'))
        trace.in(reply(1, { task: { taskId: 't', status: 'working' } }))
      }
      const ids = [2, 3]
      const looks = ids.map((id) => {
        const params = { taskId: 't' }
        const { seq } = trace.out({ jsonrpc: '2.0', id, method: 'tasks/get', params })
        trace.wait(5)
        trace.in(reply(id, { taskId: 't', status: 'working' }))
        trace.wait(60_000)
        return seq
      })

      const paths = looks.map((seq) => criticalPath(trace.all(), seq))

      expect(paths).toMatchObject([
        { durationMs: 5, isOpen: false },
        { durationMs: 5, isOpen: false },
      ])
      const parents = looks.map((seq) => trace.all().find((one) => one.seq === seq)?.parent)
      expect(parents).toEqual(isBegun ? [1, 1] : [undefined, undefined])
    },
  )

  test('HTTP shows what left late, what headers and body took, and a second attempt', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'a'))
    const http = (stream: string, status: number) => {
      const out = { kind: 'http', direction: 'out', stream, parent: seq, text: 'POST /' } as const
      const { seq: parent } = trace.tap.add(out)
      trace.wait(7)
      const details = { status, headers: { 'content-type': 'application/json' } }
      trace.tap.add({ ...out, direction: 'in', parent, text: `${status} x`, details })
    }
    trace.wait(1)
    http('h1', 401)
    trace.wait(300)
    trace.tap.add({ kind: 'auth', text: 'Token', details: { from: 'client', to: 'issuer' } })
    http('h2', 200)
    trace.wait(4)
    trace.in(answer(1, 'x'))

    expect(read(criticalPath(trace.all(), seq))).toEqual([
      [1, 'client', 'the client prepares the request'],
      [7, 'server', 'HTTP: until the headers'],
      [300, 'network', 'the client signs in'],
      [7, 'server', 'HTTP: until the headers'],
      [4, 'network', 'HTTP: the body'],
    ])
  })

  test('progress cuts the time of the server, and many reports are thinned out', () => {
    const trace = record()
    const progressToken = 'p'
    const params = { name: 'a', _meta: { progressToken } }
    const { seq } = trace.out({ ...call(1, 'a'), params })
    for (let progress = 1; progress <= 200; progress += 1) {
      trace.wait(1)
      const report = { progressToken, progress, total: 200 }
      trace.in({ jsonrpc: '2.0', method: 'notifications/progress', params: report })
    }
    trace.wait(1)
    trace.in(answer(1, 'x'))

    const path = criticalPath(trace.all(), seq)
    expect(path?.segments).toHaveLength(21)
    expect(read(path)?.[0]).toEqual([10, 'server', 'the server works, until progress: 10 of 200'])
  })

  test('a call that is not over says so', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'a'))
    trace.wait(50)
    trace.out(call(2, 'b'))

    expect(criticalPath(trace.all(), seq)).toMatchObject({ isOpen: true, durationMs: 50 })
    expect(read(criticalPath(trace.all(), seq))).toEqual([[50, 'unknown', 'no answer yet']])
  })

  test('a cancelled call ends there, or with its late answer', () => {
    const trace = record()
    const { seq } = trace.out(call(1, 'a'))
    trace.wait(50)
    const params = { requestId: 1 }
    trace.out({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    trace.wait(20)
    trace.out(call(2, 'b'))
    expect(criticalPath(trace.all(), seq)).toMatchObject({ isOpen: false, durationMs: 50 })

    trace.in(answer(1, 'late'))
    expect(read(criticalPath(trace.all(), seq))).toEqual([
      [50, 'server', 'the server works'],
      [20, 'server', 'the answer arrives after the call was cancelled'],
    ])
  })

  test('what is no request has none', () => {
    const trace = record()
    trace.in({ jsonrpc: '2.0', method: 'notifications/message', params: {} })

    expect(criticalPath(trace.all(), 1)).toBeUndefined()
    expect(criticalPath(trace.all(), 99)).toBeUndefined()
  })
})

test('whatever happens, segments are contiguous and as long as the call', () => {
  const text = fc.constantFrom('the user', 'rule r', 'elicitation', 'model', 'closed', '401 x')
  const step = fc.record({
    wait: fc.nat({ max: 20 }),
    kind: fc.constantFrom('message', 'message', 'http', 'decision', 'auth', 'status'),
    direction: fc.constantFrom('in', 'out'),
    parent: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
    stream: fc.constant('s'),
    text,
    details: fc.dictionary(fc.constantFrom('kind', 'how', 'by', 'from', 'status', 'failed'), text),
    message: fc.record(
      {
        id: fc.nat({ max: 5 }),
        method: fc.constantFrom(
          'tools/call',
          'elicitation/create',
          'tasks/get',
          'notifications/progress',
          'notifications/cancelled',
        ),
        params: fc.record({ requestState: text }, { requiredKeys: [] }),
        result: fc.record({ taskId: text, status: text, requestState: text }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let time = 0
      const records = steps.map(({ wait, ...more }, index): TraceRecord => {
        time += wait
        return { seq: index + 1, at: 0, connection: 'git', ...more, time }
      })
      for (const { seq } of records) {
        const path = criticalPath(records, seq)
        if (!path) continue
        const { from, to, durationMs, segments } = path
        expect(durationMs).toBe(to - from)
        let at = from
        for (const segment of segments) {
          expect(segment.from).toBe(at)
          expect(segment.to).toBeGreaterThan(at)
          at = segment.to
        }
        expect(at).toBe(to)
      }
    }),
  )
})

test('all calls of a long trace are measured in one go', () => {
  const trace = record()
  for (let id = 1; id <= 1000; id += 1) {
    trace.out(call(id, 'a'))
    trace.in(question(id))
    trace.wait(1)
    const details = { kind: 'elicitation', how: 'accept', by: 'the user' }
    trace.tap.add({ kind: 'decision', details })
    trace.out(reply(id))
    trace.in(answer(id, 'x'))
  }

  const paths = criticalPaths(trace.all())

  expect(paths).toHaveLength(1000)
  expect(paths.every((path) => timeByWho(path).person === 1)).toBe(true)
})

test('a little is not nothing, and nearly all is not all', () => {
  const shares = [0, 0.001, 0.5, 0.999, 1].map(formatShare)

  expect(shares).toEqual(['0 %', '<1 %', '50 %', '>99 %', '100 %'])
})

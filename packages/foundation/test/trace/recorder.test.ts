import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { createMask, createRecorder } from '../../src/trace/index.ts'
import { answer, call, record } from './made.ts'

describe('what belongs together', () => {
  test('an answer belongs to its request, whatever comes between', () => {
    const trace = record()
    const first = trace.out(call(1, 'a'))
    const second = trace.out(call(2, 'b'))

    const late = trace.in(answer(2, 'done'))
    const early = trace.in(answer(1, 'done'))

    expect([late.parent, early.parent]).toEqual([second.seq, first.seq])
  })

  test('the number 1 and the text "1" are different ids, and so are both directions', () => {
    const trace = record()
    const number = trace.out(call(1, 'a'))
    const text = trace.out(call('1', 'b'))
    const question = trace.in({ jsonrpc: '2.0', id: 1, method: 'roots/list' })

    expect(trace.in(answer('1', 'b')).parent).toBe(text.seq)
    expect(trace.in(answer(1, 'a')).parent).toBe(number.seq)
    expect(trace.out({ jsonrpc: '2.0', id: 1, result: {} }).parent).toBe(question.seq)
  })

  test('progress and cancellation belong to the request they are about', () => {
    const trace = record()
    const { params } = call(7, 'slow')
    const request = trace.out({
      ...call(7, 'slow'),
      params: { ...params, _meta: { progressToken: 'p' } },
    })
    const progress = { progressToken: 'p', progress: 1 }

    const told = trace.in({ jsonrpc: '2.0', method: 'notifications/progress', params: progress })
    const cancelled = trace.out({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7 },
    })

    expect([told.parent, cancelled.parent]).toEqual([request.seq, request.seq])
  })

  test('a question belongs to the call under way, if there is one and only one', () => {
    const trace = record()
    const question = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'elicitation/create',
      params: {},
    })
    const alone = trace.in(question(1))
    const only = trace.out(call(1, 'a'))

    const caused = trace.in(question(2))
    trace.out(call(2, 'b'))
    const unclear = trace.in(question(3))

    expect([alone.parent, caused.parent, unclear.parent]).toEqual([undefined, only.seq, undefined])
  })

  test('rounds of a call belong to its first request', () => {
    const trace = record()
    const first = trace.out(call(1, 'trip'))
    const result = { resultType: 'input_required', requestState: 's1', inputRequests: {} }
    trace.in({ jsonrpc: '2.0', id: 1, result })
    const { params } = call(2, 'trip')
    const again = { ...params, requestState: 's1', inputResponses: {} }

    expect(trace.out({ ...call(2, 'trip'), params: again }).parent).toBe(first.seq)
  })

  test('what is asked about a task belongs to the call that began it', () => {
    const trace = record()
    const first = trace.out(call(1, 'research'))
    trace.in({ jsonrpc: '2.0', id: 1, result: { task: { taskId: 't', status: 'working' } } })

    const asked = trace.out({ jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId: 't' } })

    expect(asked.parent).toBe(first.seq)
  })

  test('connections have their own ids', () => {
    const trace = record()
    const other = trace.recorder.tap('web')
    const mine = trace.out(call(1, 'a'))
    const theirs = trace.out(call(1, 'a'), other)

    expect(trace.in(answer(1, 'x'), other).parent).toBe(theirs.seq)
    expect(trace.in(answer(1, 'x')).parent).toBe(mine.seq)
  })
})

describe('what is kept', () => {
  test('as many records as fit, the oldest forgotten first', () => {
    const trace = record({ records: 3 })
    for (let id = 1; id <= 5; id += 1) trace.out(call(id, 'a'))

    expect(trace.all().map(({ seq }) => seq)).toEqual([3, 4, 5])
    expect([trace.recorder.first, trace.recorder.last]).toEqual([3, 5])
    expect(trace.recorder.get(2)).toBeUndefined()
    expect(trace.recorder.get(4)?.seq).toBe(4)
  })

  test('as many bytes as fit, but always the newest', () => {
    const trace = record({ bytes: 3000 })
    for (let id = 1; id <= 4; id += 1) trace.out(call(id, 'x'.repeat(1000)))
    trace.out(call(9, 'y'.repeat(10_000)))

    expect(trace.all().map(({ seq }) => seq)).toEqual([5])
  })

  test('pages go on after a record', () => {
    const trace = record()
    for (let id = 1; id <= 10; id += 1) trace.out(call(id, 'a'))

    expect(trace.recorder.page(4, 3).map(({ seq }) => seq)).toEqual([5, 6, 7])
    expect(trace.recorder.page(10, 3)).toEqual([])
  })

  test('a long run keeps counting, and finds every record it has', () => {
    const trace = record({ records: 1000 })
    for (let id = 1; id <= 20_000; id += 1) trace.out(call(id, 'a'))

    expect(trace.recorder.first).toBe(19_001)
    expect(trace.recorder.get(19_500)?.message).toMatchObject({ id: 19_500 })
  })

  test('clearing forgets everything and goes on counting', () => {
    const trace = record()
    trace.out(call(1, 'a'))
    trace.recorder.clear()

    expect(trace.all()).toEqual([])
    expect(trace.out(call(2, 'a')).seq).toBe(2)
    expect(trace.recorder.first).toBe(2)
  })
})

describe('secrets', () => {
  test('texts under secret names are masked wherever records are shown, and sent again as they were', () => {
    const trace = record()
    trace.out(call(1, 'login', { password: 'hunter2!', apiKey: 'k-123456', page: 3 }))

    expect(JSON.stringify(trace.all())).not.toMatch(/hunter2|k-123456/)
    expect(trace.recorder.get(1)?.message).toMatchObject({ params: { arguments: { page: 3 } } })
    expect(JSON.stringify(trace.recorder.raw(1))).toContain('hunter2')
  })

  test('a schema that describes a secret is no secret', () => {
    const schema = { properties: { token: { type: 'string', description: 'Your token' } } }

    expect(createMask()(schema)).toBe(schema)
  })

  test('known secrets are masked in any text', () => {
    const mask = createMask(['s3cr3t-value'])

    expect(mask({ message: 'sent s3cr3t-value to you' })).toEqual({ message: 'sent •••••• to you' })
  })

  test('signed tokens are masked wherever they stand', () => {
    const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'

    expect(createMask()({ text: `it is ${token}.` })).toEqual({ text: 'it is ••••••.' })
  })

  test('words of the protocol are not masked', () => {
    const message = { params: { _meta: { progressToken: 'p1' }, maxTokens: 100 } }

    expect(createMask()(message)).toBe(message)
  })

  test('a member named __proto__ stays a member', () => {
    const message = JSON.parse('{"__proto__": {"password": "hunter2!"}}') as Record<string, string>

    expect(JSON.stringify(createMask()(message))).toBe('{"__proto__":{"password":"••••••"}}')
  })
})

test('records a real connection from its first message to its end [OBS-08]', async () => {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('count', {}, () => 'three')
  const recorder = createRecorder()
  const { onMessage, onStatus, onStderr, setRevision } = recorder.tap('notes')

  const client = await connect(server, { onMessage, onStatus, onStderr })
  setRevision(client.negotiated.revision)
  await client.callTool('count')
  await client.close()

  const records = recorder.page(0, 1000)
  const request = records.find((one) => JSON.stringify(one).includes('"tools/call"'))
  const reply = records.find(({ parent }) => parent === request?.seq)
  expect(request).toMatchObject({ direction: 'out', connection: 'notes', revision: '2026-07-28' })
  expect(reply).toMatchObject({ direction: 'in', kind: 'message' })
  expect(records.at(-1)).toMatchObject({ kind: 'status', text: 'closed' })
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1))
})

test('what cannot be parsed is kept as text', () => {
  const trace = record()

  expect(trace.in('not { json')).toMatchObject({ kind: 'unparsable', text: 'not { json' })
})

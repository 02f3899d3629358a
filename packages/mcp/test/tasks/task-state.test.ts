import type { TaskRecord } from '@parley/mcp/tasks'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { isTerminal } from '../../src/schema/tasks.ts'
import { transition, type TaskEvent } from '../../src/server/tasks/task-state.ts'

const start = Date.parse('2026-07-28T00:00:00.000Z')

const begun: TaskRecord = {
  taskId: 'task',
  status: 'working',
  createdAt: new Date(start).toISOString(),
  lastUpdatedAt: new Date(start).toISOString(),
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
  principal: '',
  version: 1,
  tool: 'tool',
  keepMs: 60_000,
  lease: { owner: 'here', until: start + 30_000 },
  restart: { params: { name: 'tool' }, starts: 1 },
}

const key = fc.constantFrom('a', 'b', 'c')
const inputRequest = { method: 'roots/list', params: {} } as const

const event: fc.Arbitrary<TaskEvent> = fc.oneof(
  key.map((name) => ({ type: 'asked', key: name, request: inputRequest }) as const),
  key.map((name) => ({ type: 'withdrawn', key: name }) as const),
  fc
    .uniqueArray(key)
    .map((keys) => Object.fromEntries(keys.map((name) => [name, { result: {} }])))
    .map((answers) => ({ type: 'answered', answers }) as const),
  fc.string().map((message) => ({ type: 'progressed', message }) as const),
  fc.nat().map((until) => ({ type: 'renewed', lease: { owner: 'here', until } }) as const),
  fc.constant({ type: 'released' } as const),
  fc.constant({ type: 'restarted', lease: { owner: 'there' } } as const),
  fc.constant({ type: 'completed', result: { content: [] } } as const),
  fc.constant({ type: 'failed', error: { code: -32603, message: 'broke' } } as const),
  fc.constant({ type: 'cancelled' } as const),
)

const history = fc.array(fc.tuple(event, fc.nat({ max: 50_000 })), { maxLength: 30 })

/** Every record on the way, oldest first. */
function run(events: readonly (readonly [TaskEvent, number])[]): TaskRecord[] {
  const records = [begun]
  let now = start
  for (const [happened, ms] of events) {
    now += ms
    records.push(transition(records.at(-1) ?? begun, happened, now))
  }
  return records
}

test('a task never leaves a state that is for good [N11-TASK-09, N07-XT-11]', () => {
  fc.assert(
    fc.property(history, (events) => {
      const records = run(events)
      const end = records.findIndex(isTerminal)
      if (end === -1) return
      for (const later of records.slice(end)) expect(later).toBe(records[end])
    }),
  )
})

test('a task moves between working and input_required as it has open questions [N11-TASK-09, N11-TASK-15]', () => {
  fc.assert(
    fc.property(history, (events) => {
      for (const record of run(events)) {
        const open = Object.keys(record.inputRequests ?? {}).length
        if (isTerminal(record)) expect(record.inputRequests).toBeUndefined()
        else expect(record.status).toBe(open > 0 ? 'input_required' : 'working')
      }
    }),
  )
})

test('a task has what its state brings, and nothing of another [N07-XT-06]', () => {
  fc.assert(
    fc.property(history, (events) => {
      for (const { status, result, error } of run(events)) {
        expect(result !== undefined).toBe(status === 'completed')
        expect(error !== undefined).toBe(status === 'failed')
      }
    }),
  )
})

test('an answer is taken once, for an open question only [N07-XT-10]', () => {
  fc.assert(
    fc.property(history, key, (events, name) => {
      const record = run(events).at(-1) ?? begun
      const answers = { [name]: { result: { said: 'this' } } }

      const first = transition(record, { type: 'answered', answers }, start)
      const second = transition(
        first,
        { type: 'answered', answers: { [name]: { result: { said: 'that' } } } },
        start,
      )

      const wasOpen = Object.hasOwn(record.inputRequests ?? {}, name)
      expect(first !== record).toBe(wasOpen)
      expect(second).toBe(first)
    }),
  )
})

test('an answer that was taken is not kept', () => {
  fc.assert(
    fc.property(history, key, (events, name) => {
      const record = run(events).at(-1) ?? begun

      const { inputRequests, inputResponses } = transition(
        record,
        { type: 'withdrawn', key: name },
        start,
      )

      expect(inputRequests ?? {}).not.toHaveProperty(name)
      expect(inputResponses ?? {}).not.toHaveProperty(name)
    }),
  )
})

test('every change has a version of its own, and time does not go back', () => {
  fc.assert(
    fc.property(history, (events) => {
      let before: TaskRecord | undefined
      for (const record of run(events)) {
        if (before !== undefined && record !== before) {
          expect(record.version).toBe(before.version + 1)
          expect(record.lastUpdatedAt >= before.lastUpdatedAt).toBe(true)
          expect(record.ttlMs ?? 0).toBeGreaterThanOrEqual(before.ttlMs ?? 0)
        }
        before = record
      }
    }),
  )
})

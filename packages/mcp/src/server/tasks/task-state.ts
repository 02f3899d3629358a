import type { WireError } from '../../rpc/message.ts'
import type { InputRequest, InputRequests } from '../../schema/input/input.ts'
import { isTerminal } from '../../schema/tasks.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { TaskInputResponses, TaskRecord } from './task-store.ts'

type Lease = NonNullable<TaskRecord['lease']>

/** An event in the life of a task. */
export type TaskEvent =
  | { readonly type: 'asked'; readonly key: string; readonly request: InputRequest }
  /** The answer has been taken, or is too late. */
  | { readonly type: 'withdrawn'; readonly key: string }
  | { readonly type: 'answered'; readonly answers: TaskInputResponses }
  | { readonly type: 'progressed'; readonly message: string }
  /** The process that runs it is alive. */
  | { readonly type: 'renewed'; readonly lease: Lease }
  /** The process that runs it stops: another may start it again. */
  | { readonly type: 'released' }
  /** Another process runs it now, from the beginning. */
  | { readonly type: 'restarted'; readonly lease: Lease }
  | { readonly type: 'completed'; readonly result: CallToolResult }
  | { readonly type: 'failed'; readonly error: WireError }
  | { readonly type: 'cancelled' }

/** The record after an event, at a time in milliseconds since the epoch; the same object if nothing changes. */
export function transition(record: TaskRecord, event: TaskEvent, now: number): TaskRecord {
  if (isTerminal(record)) return record
  switch (event.type) {
    case 'asked': {
      const { key, request } = event
      return changed(record, now, waiting({ ...record.inputRequests, [key]: request }))
    }
    case 'withdrawn':
      return withoutReply(withoutInputRequests(record, [event.key], {}, now), event.key)
    case 'answered': {
      const open = Object.entries(event.answers).filter(([key]) => isOpen(record, key))
      const keys = open.map(([key]) => key)
      return withoutInputRequests(record, keys, Object.fromEntries(open), now)
    }
    case 'progressed':
      return event.message === record.statusMessage
        ? record
        : changed(record, now, { statusMessage: event.message })
    case 'renewed':
      return renewed(record, event.lease, now)
    case 'released': {
      const { lease, ...rest } = record
      return lease === undefined ? record : { ...rest, version: record.version + 1 }
    }
    case 'restarted':
      return restarted(record, event.lease, now)
    case 'completed':
      return ended(record, now, { status: 'completed', result: event.result })
    case 'failed': {
      const { error } = event
      return ended(record, now, { status: 'failed', error, statusMessage: error.message })
    }
    case 'cancelled':
      return ended(record, now, { status: 'cancelled' })
  }
}

function isOpen({ inputRequests = {} }: TaskRecord, key: string): boolean {
  return Object.hasOwn(inputRequests, key)
}

function withoutInputRequests(
  record: TaskRecord,
  keys: readonly string[],
  answers: TaskInputResponses,
  now: number,
): TaskRecord {
  if (!keys.some((key) => isOpen(record, key))) return record
  const left = Object.entries(record.inputRequests ?? {}).filter(([key]) => !keys.includes(key))
  return changed(record, now, {
    ...waiting(Object.fromEntries(left)),
    inputResponses: { ...record.inputResponses, ...answers },
  })
}

/** An answer is kept until it is taken. */
function withoutReply(record: TaskRecord, key: string): TaskRecord {
  const { inputResponses = {} } = record
  if (!Object.hasOwn(inputResponses, key)) return record
  const { [key]: _, ...left } = inputResponses
  return { ...record, inputResponses: left, version: record.version + 1 }
}

function waiting(inputRequests: InputRequests): Partial<TaskRecord> {
  const isAsking = Object.keys(inputRequests).length > 0
  return { status: isAsking ? 'input_required' : 'working', inputRequests }
}

function renewed(record: TaskRecord, lease: Lease, now: number): TaskRecord {
  return { ...record, ...grown(record, now), version: record.version + 1, lease }
}

/** A long task is kept after its end as long as any other, so its `ttlMs` grows with its age. */
function grown({ createdAt, ttlMs, keepMs }: TaskRecord, now: number): Partial<TaskRecord> {
  const age = now - Date.parse(createdAt)
  return ttlMs !== null && age > ttlMs / 2 ? { ttlMs: age + keepMs } : {}
}

/** Returns the record for a new start, without the requests and responses of the earlier one. */
function restarted(record: TaskRecord, lease: Lease, now: number): TaskRecord {
  const { inputRequests, inputResponses, statusMessage, restart, ...rest } = record
  if (restart === undefined) return record
  const again = { ...restart, starts: restart.starts + 1 }
  return changed(rest, now, { ...grown(rest, now), status: 'working', lease, restart: again })
}

function ended(record: TaskRecord, now: number, end: Partial<TaskRecord>): TaskRecord {
  const { inputRequests, inputResponses, lease, statusMessage, restart, isRetryable, ...rest } =
    record
  const ttlMs = now - Date.parse(record.createdAt) + record.keepMs
  return changed(rest, now, { ttlMs, ...end })
}

function changed(record: TaskRecord, now: number, change: Partial<TaskRecord>): TaskRecord {
  const lastUpdatedAt = new Date(now).toISOString()
  return { ...record, ...change, lastUpdatedAt, version: record.version + 1 }
}

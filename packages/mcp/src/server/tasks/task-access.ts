import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import { epochMs } from '../../rpc/time/epoch.ts'
import { isTerminal } from '../../schema/tasks.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { transition, type TaskEvent } from './task-state.ts'
import type { TaskRecord, TaskStore } from './task-store.ts'

/** Reads and changes tasks: an expired one is gone, and one whose process has died has failed. */
export interface TaskAccess {
  find(principal: string, taskId: string, clock: Clock): Promise<TaskRecord | undefined>
  /** The task after the event, also if others change it at the same time; undefined if there is none. */
  change(
    principal: string,
    taskId: string,
    event: TaskEvent,
    clock: Clock,
  ): Promise<TaskRecord | undefined>
}

export function createTaskAccess(store: TaskStore): TaskAccess {
  async function find(
    principal: string,
    taskId: string,
    clock: Clock,
  ): Promise<TaskRecord | undefined> {
    const record = await store.get(principal, taskId)
    const now = epochMs(clock)
    if (record === undefined || isExpired(record, now)) return undefined
    return isTerminal(record) || isHeld(record, now) ? record : apply(record, nodeLost, clock)
  }

  /** Retries while others change the record first. */
  async function apply(
    first: TaskRecord,
    event: TaskEvent,
    clock: Clock,
  ): Promise<TaskRecord | undefined> {
    let record: TaskRecord | undefined = first
    while (record !== undefined) {
      const next = transition(record, event, epochMs(clock))
      if (next === record || (await store.update(next, record.version))) return next
      record = await store.get(record.principal, record.taskId)
    }
    return undefined
  }

  return {
    find,
    async change(principal, taskId, event, clock) {
      const record = await store.get(principal, taskId)
      if (record === undefined || isExpired(record, epochMs(clock))) return undefined
      return apply(record, event, clock)
    },
  }
}

/** True while some process runs it. */
function isHeld({ lease }: TaskRecord, now: number): boolean {
  return lease !== undefined && lease.until > now
}

function isExpired(record: TaskRecord, now: number): boolean {
  const { createdAt, ttlMs } = record
  return ttlMs !== null && Date.parse(createdAt) + ttlMs <= now && !isHeld(record, now)
}

/** The end of a task whose process has died. */
export const nodeLost: TaskEvent = {
  type: 'failed',
  error: encodeWireError(
    new RpcError('node_lost', 'the process that ran this task is gone', {
      data: { retryable: false },
    }),
  ),
}

import { type Clock, epochMs } from '../../rpc/clock.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isTerminal } from '../../schema/tasks.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import type { Call } from '../calls/call.ts'
import { transition, type TaskEvent } from './task-state.ts'
import type { TaskRecord, TaskStore } from './task-store.ts'

/** Reads and changes tasks: an expired one is gone, and one whose process has died has failed or is started again. */
export interface TaskAccess {
  /** For a request that asks for it. */
  find(principal: string, taskId: string, call: Call): Promise<TaskRecord | undefined>
  /** Returns the task unchanged, whichever process runs it. */
  peek(principal: string, taskId: string, clock: Clock): Promise<TaskRecord | undefined>
  /**
   * The task after the event, also if others change it at the same time; undefined if there is none. An event of `run`
   * changes nothing if the task is run by another.
   */
  change(
    principal: string,
    taskId: string,
    event: TaskEvent,
    clock: Clock,
    run?: TaskStartId,
  ): Promise<TaskRecord | undefined>
}

/** The process that runs a task, and which of its starts this is. */
export interface TaskStartId {
  readonly owner: string
  readonly starts: number
}

/** Takes up a task that nobody runs any more. Undefined if it was changed meanwhile, so that it must be read again. */
export type TakeUp = (record: TaskRecord, call: Call) => Promise<TaskRecord | undefined>

export function createTaskAccess(store: TaskStore, resume: TakeUp): TaskAccess {
  async function find(
    principal: string,
    taskId: string,
    call: Call,
  ): Promise<TaskRecord | undefined> {
    const { clock } = call.caller
    for (;;) {
      const record = await peek(principal, taskId, clock)
      if (record === undefined || isTerminal(record)) return record
      if (!(await isDisconnected(record, epochMs(clock)))) return record
      const resumed = await resume(record, call)
      if (resumed) return resumed
    }
  }

  async function peek(
    principal: string,
    taskId: string,
    clock: Clock,
  ): Promise<TaskRecord | undefined> {
    const record = await store.get(principal, taskId)
    if (record === undefined || store.forgets) return record
    return isExpired(record, epochMs(clock)) ? undefined : record
  }

  async function isDisconnected({ lease }: TaskRecord, now: number): Promise<boolean> {
    if (lease === undefined) return true
    if (store.processes) return store.processes.isDisconnected(lease.owner)
    return lease.until === undefined || lease.until <= now
  }

  /** Retries while others change the record first. */
  async function apply(
    first: TaskRecord,
    event: TaskEvent,
    clock: Clock,
    run: TaskStartId | undefined,
  ): Promise<TaskRecord | undefined> {
    let record: TaskRecord | undefined = first
    while (record !== undefined) {
      if (run && !isRunBy(record, run)) return record
      const next = transition(record, event, epochMs(clock))
      if (next === record || (await store.update(next, record.version))) return next
      record = await store.get(record.principal, record.taskId)
    }
    return undefined
  }

  return {
    find,
    peek,
    async change(principal, taskId, event, clock, run) {
      const record = await peek(principal, taskId, clock)
      return record && apply(record, event, clock, run)
    },
  }
}

/** False if another process has taken it up, or this one has once more. */
export function isRunBy({ lease, restart }: TaskRecord, { owner, starts }: TaskStartId): boolean {
  return lease?.owner === owner && (restart?.starts ?? 1) === starts
}

/** One that some process may still run is not. */
function isExpired({ createdAt, ttlMs, lease }: TaskRecord, now: number): boolean {
  const isLeased = lease !== undefined && (lease.until === undefined || lease.until > now)
  return ttlMs !== null && Date.parse(createdAt) + ttlMs <= now && !isLeased
}

/** The end of a task whose process has died. */
export function nodeLost(isRetryable: boolean): TaskEvent {
  const why = 'the process that ran this task is gone'
  const error = new RpcError('node_lost', why, { data: { retryable: isRetryable } })
  return { type: 'failed', error: encodeWireError(error) }
}

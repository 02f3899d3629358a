/**
 * The interface of a task store, the record it holds, and the store in memory. Every key begins with the principal, so tasks of other
 * principals do not exist for a caller.
 *
 * Versions protect against lost updates: `update` fails if another process wrote in between. `@parley/cluster` implements the same interface
 * on a shared store.
 */

import type { WireError } from '../../rpc/message.ts'
import { pageAfter, type Numbered } from '../../rpc/numbered-page.ts'
import type { InputRequests } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Task } from '../../schema/tasks.ts'
import type { CallToolResult } from '../../schema/tools.ts'

/** A store of tasks. Every key begins with the principal: tasks of others do not exist. */
export interface TaskStore {
  /** Stores a new task. */
  create(task: TaskRecord): Promise<void>
  /** The task; undefined if this principal has none of this id. */
  get(principal: string, taskId: string): Promise<TaskRecord | undefined>
  /** Compare-and-set on `version`; false if another process was first, or there is no such task. */
  update(task: TaskRecord, expectedVersion: number): Promise<boolean>
  /** In the order they were created. Throws `RpcError` `invalid_params` for an invalid cursor. */
  list(principal: string, cursor?: string): Promise<TaskPage>
  /** Does nothing for a task that is not there. */
  remove(principal: string, taskId: string): Promise<void>
  /** A hint that the record changed; may be lost. */
  watch(principal: string, taskId: string, wake: () => void): Disposable
  /**
   * True for a store that forgets tasks by its own clock: one that has ended `keepMs` after its last update, another not
   * before `ttlMs`. Without it the clock of the reading process decides.
   */
  readonly forgets?: boolean | undefined
  /** Where processes have leases of their own. Without it each task has a lease of 30 s, by the clocks of the processes. */
  readonly processes?: TaskProcesses | undefined
}

/** The processes that run tasks. */
export interface TaskProcesses {
  /** Names this one for as long as it runs. */
  readonly node: string
  /** How often tasks are looked at, whether or not there is a hint. */
  readonly heartbeatMs: number
  /** True if a process is known to be gone. */
  isDisconnected(node: string): Promise<boolean>
}

/** A page of tasks of one principal. */
export interface TaskPage {
  /** The tasks, oldest first. */
  readonly tasks: readonly TaskRecord[]
  /** The cursor of the next page; absent on the last one. */
  readonly cursor?: string
}

/** A task with everything needed to continue it. Plain JSON, so that any store can hold it. */
export interface TaskRecord extends Task {
  /** The owner of the task; nobody else can see it. */
  readonly principal: string
  /** Rises by one with every update. */
  readonly version: number
  /** The tool that was called. */
  readonly tool: string
  /** How long it is kept after its end. */
  readonly keepMs: number
  /** Open input requests, by keys that are used once. */
  readonly inputRequests?: InputRequests
  /** Answers that have not been taken yet. */
  readonly inputResponses?: TaskInputResponses
  /** The result of a completed task. */
  readonly result?: CallToolResult
  /** The error of a failed task. */
  readonly error?: WireError
  /**
   * The process that runs it; nobody does if it is absent. Until when it counts as alive, in milliseconds since the epoch,
   * unless the store knows which processes are.
   */
  readonly lease?: { readonly owner: string; readonly until?: number }
  /** The call may be made again, whatever has been done of it. */
  readonly isRetryable?: boolean
  /** Set if it may be started again when its process is lost. */
  readonly restart?: TaskRestart
}

/** The data needed to start a task again. */
export interface TaskRestart {
  /** The params of the call. */
  readonly params: JsonObject
  /** How often it has been started; each start is fenced from the one before. */
  readonly starts: number
}

/** Answers by the keys of their input requests. */
export interface TaskInputResponses {
  /** The answer to one input request. */
  readonly [key: string]: TaskInputResponse
}

/** The answer of a client, or its error. */
export type TaskInputResponse =
  | {
      /** The result that the client answered with. */
      readonly result: JsonObject
    }
  | {
      /** The error that the client answered with. */
      readonly error: WireError
    }

/** Keeps tasks in the memory of this process. */
export function createMemoryTaskStore(): TaskStore {
  const principals = new Map<string, Map<string, Stored>>()
  const watchers = new Map<string, Set<() => void>>()
  let created = 0

  function find(principal: string, taskId: string): Stored | undefined {
    return principals.get(principal)?.get(taskId)
  }

  function wakeAll(taskId: string): void {
    for (const wake of watchers.get(taskId) ?? []) wake()
  }

  return {
    async create(record) {
      const tasks = principals.get(record.principal) ?? new Map<string, Stored>()
      principals.set(record.principal, tasks)
      tasks.set(record.taskId, { number: (created += 1), record })
    },
    async get(principal, taskId) {
      return find(principal, taskId)?.record
    },
    async update(record, expectedVersion) {
      const stored = find(record.principal, record.taskId)
      if (stored?.record.version !== expectedVersion) return false
      stored.record = record
      wakeAll(record.taskId)
      return true
    },
    async list(principal, cursor) {
      const { items, ...next } = pageAfter(principals.get(principal)?.values() ?? [], cursor)
      return { tasks: items.map(({ record }) => record), ...next }
    },
    async remove(principal, taskId) {
      const tasks = principals.get(principal)
      if (!tasks?.delete(taskId)) return
      if (tasks.size === 0) principals.delete(principal)
      wakeAll(taskId)
    },
    watch(_principal, taskId, wake) {
      const wakes = watchers.get(taskId) ?? new Set()
      watchers.set(taskId, wakes.add(wake))
      return {
        [Symbol.dispose]() {
          wakes.delete(wake)
          if (wakes.size === 0 && watchers.get(taskId) === wakes) watchers.delete(taskId)
        },
      }
    },
  }
}

interface Stored extends Numbered {
  record: TaskRecord
}

import type { WireError } from '../../rpc/message.ts'
import type { InputRequests } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Task } from '../../schema/tasks.ts'
import type { CallToolResult } from '../../schema/tools.ts'

/** A store of tasks. Every key begins with the principal: tasks of others do not exist. */
export interface TaskStore {
  create(task: TaskRecord): Promise<void>
  get(principal: string, taskId: string): Promise<TaskRecord | undefined>
  /** Compare-and-set on `version`; false if another process was first, or there is no such task. */
  update(task: TaskRecord, expectedVersion: number): Promise<boolean>
  /** In the order they were created. Throws `RpcError` `invalid_params` for an invalid cursor. */
  list(principal: string, cursor?: string): Promise<TaskPage>
  /** Does nothing for a task that is not there. Stores that forget by themselves do so `ttlMs` after `createdAt`. */
  remove(principal: string, taskId: string): Promise<void>
  /** A hint that the record changed; may be lost. */
  watch(principal: string, taskId: string, wake: () => void): Disposable
}

/** A page of tasks of one principal. */
export interface TaskPage {
  readonly tasks: readonly TaskRecord[]
  readonly cursor?: string
}

/** A task with everything needed to continue it. Plain JSON, so that any store can hold it. */
export interface TaskRecord extends Task {
  readonly principal: string
  readonly version: number
  readonly tool: string
  /** How long it is kept after its end. */
  readonly keepMs: number
  /** Open input requests, by keys that are used once. */
  readonly inputRequests?: InputRequests
  /** Answers that have not been taken yet. */
  readonly inputResponses?: TaskAnswers
  /** The result of a completed task. */
  readonly result?: CallToolResult
  /** The error of a failed task. */
  readonly error?: WireError
  /** The process that runs it, and until when it counts as alive, in milliseconds since the epoch. */
  readonly lease?: { readonly owner: string; readonly until: number }
}

/** Answers by the keys of their input requests. */
export interface TaskAnswers {
  readonly [key: string]: TaskAnswer
}

/** The answer of a client, or its error. */
export type TaskAnswer = { readonly result: JsonObject } | { readonly error: WireError }

import type { WireError } from '../../rpc/message.ts'
import type { InputRequests } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Task } from '../../schema/tasks.ts'
import type { CallToolResult } from '../../schema/tools.ts'

/** Where tasks live. Every key begins with the principal; a foreign task does not exist. */
export interface TaskStore {
  create(task: TaskRecord): Promise<void>
  get(principal: string, taskId: string): Promise<TaskRecord | undefined>
  /** Compare-and-set on `version`; false means somebody else was first, or that there is no such task. */
  update(task: TaskRecord, expectedVersion: number): Promise<boolean>
  /** In the order they were created. Throws `RpcError` `invalid_params` for a cursor it did not give out. */
  list(principal: string, cursor?: string): Promise<TaskPage>
  /** Does nothing for a task that is not there. Stores that forget by themselves do so `ttlMs` after `createdAt`. */
  remove(principal: string, taskId: string): Promise<void>
  /** A hint that the record changed; may be lost. */
  watch(principal: string, taskId: string, wake: () => void): Disposable
}

/** Some tasks of one principal, and where the next begin. */
export interface TaskPage {
  readonly tasks: readonly TaskRecord[]
  readonly cursor?: string
}

/** A task with all that is needed to go on with it. Plain JSON, so that any store can hold it. */
export interface TaskRecord extends Task {
  readonly principal: string
  readonly version: number
  readonly tool: string
  /** How long it is kept after its end. */
  readonly keepMs: number
  /** What is asked and not answered yet, by keys that are used once. */
  readonly inputRequests?: InputRequests
  /** What was answered and not taken yet. */
  readonly inputResponses?: TaskAnswers
  /** How it ended, where it was completed. */
  readonly result?: CallToolResult
  /** How it ended, where it failed. */
  readonly error?: WireError
  /** Which process runs it, and until when that is believed, in milliseconds since the epoch. */
  readonly lease?: { readonly owner: string; readonly until: number }
}

/** Answers by the keys of their questions. */
export interface TaskAnswers {
  readonly [key: string]: TaskAnswer
}

/** What a client said, or that it refused. */
export type TaskAnswer = { readonly result: JsonObject } | { readonly error: WireError }

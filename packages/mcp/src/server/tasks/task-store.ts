import type { WireError } from '../../rpc/message.ts'
import type { InputRequests } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json/json.ts'
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
  isLost(node: string): Promise<boolean>
}

/** A page of tasks of one principal. */
export interface TaskPage {
  /** The tasks, oldest first. */
  readonly tasks: readonly TaskRecord[]
  /** What to pass for the next page; absent on the last one. */
  readonly cursor?: string
}

/** A task with everything needed to continue it. Plain JSON, so that any store can hold it. */
export interface TaskRecord extends Task {
  /** Whose task it is; nobody else can see it. */
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
  readonly inputResponses?: TaskAnswers
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

/** What it takes to start a task again. */
export interface TaskRestart {
  /** Of the call. */
  readonly params: JsonObject
  /** How often it has been started; each start is fenced from the one before. */
  readonly starts: number
}

/** Answers by the keys of their input requests. */
export interface TaskAnswers {
  /** The answer to one input request. */
  readonly [key: string]: TaskAnswer
}

/** The answer of a client, or its error. */
export type TaskAnswer =
  | {
      /** The result that the client answered with. */
      readonly result: JsonObject
    }
  | {
      /** The error that the client answered with. */
      readonly error: WireError
    }

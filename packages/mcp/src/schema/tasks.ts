import { union } from './check-unions.ts'
import * as s from './check.ts'
import { inputRequests, type InputRequests, type InputResponses } from './input/input.ts'
import type { JsonObject } from './json.ts'
import type { Listed } from './pagination.ts'
import { type RequestMeta, optionalRequestMeta } from './progress.ts'

/** The state of a task; the last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** True for the final states. */
export function isTerminal({ status }: { readonly status: TaskStatus }): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** How a request asks to be run as a task, in 2025-11-25. */
export interface TaskRequest {
  /** How long to keep the task, in milliseconds; the receiver has the last word. */
  readonly ttl?: number
}

/** Work that outlives the request that began it. */
export interface Task {
  /** Its id, which only the caller that began it can use. */
  readonly taskId: string
  /** Whether it works, waits for input, or has ended, and how. */
  readonly status: TaskStatus
  /** For people. */
  readonly statusMessage?: string
  /** ISO 8601, as the next. */
  readonly createdAt: string
  /** When its state last changed. */
  readonly lastUpdatedAt: string
  /** How long it is kept since it was created; null is for ever. */
  readonly ttlMs: number | null
  /** How often to ask. */
  readonly pollIntervalMs?: number
}

/** `task` in the params of a request. */
export const taskRequest = s.object<TaskRequest>({ ttl: s.optional(s.number) })

type TaskBase = Omit<Task, 'ttlMs' | 'pollIntervalMs'>

const taskShape: s.Shape<TaskBase> = {
  taskId: s.string,
  status: s.oneOf(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: s.optional(s.string),
  createdAt: s.string,
  lastUpdatedAt: s.string,
}

const timeToLive: s.Check<number | null> = union(
  s.number,
  s.is<null>('null', (value) => value === null),
)

/** A task in the words of the extension. */
export const task = s.object<Task>(
  s.fields(taskShape, { ttlMs: timeToLive, pollIntervalMs: s.optional(s.number) }),
)

/** A task in the words of 2025-11-25. */
export interface CoreTask extends TaskBase {
  readonly ttl: number | null
  readonly pollInterval?: number
}

/** The same, to check. */
export const coreTask = s.object<CoreTask>(
  s.fields(taskShape, { ttl: timeToLive, pollInterval: s.optional(s.number) }),
)

/** One page of tasks, in 2025-11-25. */
export type ListTasksResult = Listed<'tasks', CoreTask>

/** The result of `tasks/get` of the extension: a task, and the data of its state. */
export interface DetailedTask extends Task {
  readonly inputRequests?: InputRequests
  readonly result?: JsonObject
  readonly error?: TaskError
}

/** The JSON-RPC error a task failed with. */
export interface TaskError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The same, to check. */
export const detailedTask = s.object<DetailedTask>(
  s.fields(task, {
    inputRequests: s.optional(inputRequests),
    result: s.optional(s.jsonObject),
    error: s.optional(
      s.object<TaskError>({ code: s.number, message: s.string, data: s.optional(s.unknown) }),
    ),
  }),
)

/** Params of every method about one task. */
export interface TaskParams {
  readonly taskId: string
  readonly _meta?: RequestMeta
}

/** Params of `tasks/get`, `tasks/result` and `tasks/cancel`. */
export const taskParams = s.object<TaskParams>({
  taskId: s.string,
  _meta: optionalRequestMeta,
})

/** Answers to what a task asked, all or some. */
export interface UpdateTaskParams extends TaskParams {
  readonly inputResponses: InputResponses
}

/** Params of `tasks/update`. */
export const updateTaskParams = s.object<UpdateTaskParams>(
  s.fields(taskParams, { inputResponses: s.record(s.jsonObject) }),
)

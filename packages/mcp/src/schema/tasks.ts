import * as s from './check.ts'
import type { InputResponses } from './input.ts'
import { requestMeta, type RequestMeta } from './progress.ts'

/** Where a task stands; the last three are for good. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** How a request asks to be run as a task, in 2025-11-25. */
export interface TaskRequest {
  /** How long to keep the task, in milliseconds; the receiver has the last word. */
  readonly ttl?: number
}

/** Work that outlives the request that began it. */
export interface Task {
  readonly taskId: string
  readonly status: TaskStatus
  /** For people. */
  readonly statusMessage?: string
  /** ISO 8601, as the next. */
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** How long it is kept since it was created; null is for ever. */
  readonly ttlMs: number | null
  /** How often to ask. */
  readonly pollIntervalMs?: number
}

/** `task` in the params of a request. */
export const taskRequest = s.object<TaskRequest>({ ttl: s.optional(s.number) })

/** A task in the words of the extension. */
export const task = s.object<Task>({
  taskId: s.string,
  status: s.oneOf(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: s.optional(s.string),
  createdAt: s.string,
  lastUpdatedAt: s.string,
  ttlMs: s.union(
    s.number,
    s.is<null>('null', (value) => value === null),
  ),
  pollIntervalMs: s.optional(s.number),
})

/** What names a task in every method about one. */
export interface TaskParams {
  readonly taskId: string
  readonly _meta?: RequestMeta
}

/** Params of `tasks/get`, `tasks/result` and `tasks/cancel`. */
export const taskParams = s.object<TaskParams>({
  taskId: s.string,
  _meta: s.optional(requestMeta),
})

/** Answers to what a task asked, all or some. */
export interface UpdateTaskParams extends TaskParams {
  readonly inputResponses: InputResponses
}

/** Params of `tasks/update`. */
export const updateTaskParams = s.object<UpdateTaskParams>({
  ...taskParams.shape,
  inputResponses: s.record(s.jsonObject),
})

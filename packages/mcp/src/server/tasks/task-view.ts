import type { InputRequests } from '../../schema/input/input.ts'
import type { Task } from '../../schema/tasks.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { Codec } from '../../wire/codec.ts'
import type { TaskRecord } from './task-store.ts'

/** A task as the extension writes it. */
export function toTask(record: TaskRecord): Task {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = record
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
  }
}

/** The same with its open input requests, or its result. */
export function toDetailedTask(record: TaskRecord, codec: Codec): object {
  const { status, inputRequests, result, error } = record
  return {
    ...toTask(record),
    ...(status === 'input_required' && {
      inputRequests: inputRequests satisfies InputRequests | undefined,
    }),
    ...(result && { result: codec.encodeResult('tools/call', result) }),
    ...(error && { error }),
  }
}

/** A task as 2025-11-25 writes it, where a tool result with `isError` is a failed task. */
export function toCoreTask(record: TaskRecord): object {
  const { ttlMs, pollIntervalMs, ...task } = toTask(record)
  const hasFailed = record.result?.isError === true
  const why = hasFailed && textOf(record.result)
  return {
    ...task,
    ...(hasFailed && { status: 'failed' }),
    ...(why && { statusMessage: why }),
    ttl: ttlMs,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  }
}

function textOf({ content }: CallToolResult): string | undefined {
  const first = content.find((block) => block.type === 'text')
  return first?.text.slice(0, maxMessageLength)
}

/** A status message is a sentence for people, not a result. */
export const maxMessageLength = 1_000

/** The answer to a call that continues as a task. */
export class TaskStart {
  readonly taskId: string
  /** The result in the caller's revision. */
  readonly result: object

  constructor(taskId: string, result: object) {
    this.taskId = taskId
    this.result = result
  }
}

import type { InputRequests } from '../../schema/input/input.ts'
import type { Task } from '../../schema/tasks.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { Codec } from '../../wire/codec.ts'
import type { TaskRecord } from './task-store.ts'

/** A task in the words of the extension. */
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

/** The same with what its state brings: what it asks, or how it ended. */
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

/** A task in the words of 2025-11-25, where a tool that reports an error has failed. */
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
  return first?.text.slice(0, longestMessage)
}

/** A status message is a sentence for people, not the result. */
export const longestMessage = 1_000

/** The answer to a call that goes on as a task: who called is told where to find it. */
export class TaskStart {
  readonly taskId: string
  /** As the caller's revision writes it. */
  readonly result: object

  constructor(taskId: string, result: object) {
    this.taskId = taskId
    this.result = result
  }
}

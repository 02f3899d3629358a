import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { WireError } from '../../rpc/message.ts'
import { describeProblem, type Check } from '../../schema/check.ts'
import type { InputRequests } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import {
  coreTask,
  detailedTask,
  type CoreTask,
  type DetailedTask,
  type Task,
} from '../../schema/tasks.ts'

/** A task as a server describes it, in our words, with what its state brings. */
export interface TaskState {
  readonly task: Task
  readonly inputRequests?: InputRequests
  readonly result?: JsonObject
  readonly error?: WireError
}

/** Reads a task of the extension. Throws `invalid_message` if the value is not one. */
export function readDetailed(value: unknown, method: string): TaskState {
  const { inputRequests, result, error, ...rest } = checked(detailedTask, value, method)
  return {
    task: only(rest),
    ...(inputRequests && { inputRequests }),
    ...(result && { result }),
    ...(error && { error }),
  }
}

/** Reads a task of 2025-11-25. Throws `invalid_message` if the value is not one. */
export function readCore(value: unknown, method: string): TaskState {
  const { ttl, pollInterval, ...rest } = checked(coreTask, value, method)
  return {
    task: only({
      ...rest,
      ttlMs: ttl,
      ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
    }),
  }
}

/** Without what a result has besides. */
function only(task: Task): Task {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task
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

function checked<T extends CoreTask | DetailedTask>(
  check: Check<T>,
  value: unknown,
  method: string,
): T {
  const problem = check(value)
  if (problem === undefined) return value as T // just checked
  const why = describeProblem(problem)
  throw new McpError(
    'invalid_message',
    `${method} answered with something that is not a task: ${why}`,
    {
      details: { excerpt: why },
    },
  )
}

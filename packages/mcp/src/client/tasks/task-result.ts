import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { JsonObject } from '../../schema/json.ts'
import { decodeWireError } from '../../wire/error-codes.ts'
import type { TaskPort } from './task-port.ts'
import { createTaskRequests } from './task-requests.ts'
import type { TaskState } from './task-state.ts'

/** Returns the result that the call would have had. Rejects with `task_ended` if its task has no result. */
export async function resultOf(
  port: TaskPort,
  { task, result, error }: TaskState,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { taskId } = port
  if (task.status === 'cancelled') throw taskEnded(taskId, 'cancelled')
  if ((await port.protocol()) === 'core') return fetchResult(port, signal)
  if (error !== undefined || task.status === 'failed') {
    throw taskEnded(taskId, 'failed', error && decodeWireError(error))
  }
  if (result !== undefined) return result
  const why = 'tasks/get answered with a completed task without its result'
  throw new McpError('invalid_message', why, { details: { excerpt: why } })
}

async function fetchResult(port: TaskPort, signal: AbortSignal): Promise<JsonObject> {
  try {
    return await createTaskRequests(port).request('tasks/result', {}, signal)
  } catch (error) {
    throw isRpcError(error) ? taskEnded(port.taskId, 'failed', error) : error
  }
}

/** How a call ends whose task has no result. */
export function taskEnded(
  taskId: string,
  status: 'failed' | 'cancelled' | 'expired',
  cause?: unknown,
): McpError<'task_ended'> {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  const what = status === 'expired' ? 'is not known to the server, or no longer' : `was ${status}`
  const why = status === 'failed' ? 'failed' : what
  return new McpError('task_ended', `task ${taskId} ${why}${reason}`, {
    details: { taskId, status },
    ...(cause !== undefined && { cause }),
  })
}

import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import { decodeWireError } from '../../wire/error-codes.ts'
import { taskEnded } from './task-ended.ts'
import type { TaskPort } from './task-port.ts'
import { patientRequests } from './task-requests.ts'
import type { TaskState } from './task-state.ts'

/** What the call would have been answered with, from how its task ended. Rejects with `task_ended` where it has no result. */
export async function resultOf(
  port: TaskPort,
  { task, result, error }: TaskState,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { taskId } = port
  if (task.status === 'cancelled') throw taskEnded(taskId, 'cancelled')
  if ((await port.words()) === 'core') return fetchResult(port, signal)
  if (error !== undefined || task.status === 'failed') {
    throw taskEnded(taskId, 'failed', error && decodeWireError(error))
  }
  if (result !== undefined) return result
  const why = 'tasks/get answered with a completed task without its result'
  throw new McpError('invalid_message', why, { details: { excerpt: why } })
}

async function fetchResult(port: TaskPort, signal: AbortSignal): Promise<JsonObject> {
  try {
    return await patientRequests(port).request('tasks/result', {}, signal)
  } catch (error) {
    throw isRpcError(error) ? taskEnded(port.taskId, 'failed', error) : error
  }
}

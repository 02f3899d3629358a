import { RpcError } from './rpc-error.ts'

/** The same for a task that never was, is too old, or belongs to somebody else. */
export function unknownTask(taskId: string): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', `unknown task: ${taskId.slice(0, 100)}`)
}

/** A result is asked of a task that was cancelled. */
export function taskCancelled(): RpcError<'internal_error'> {
  return new RpcError('internal_error', 'the task was cancelled')
}

import { RpcError } from './errors/rpc-error.ts'

/** The same for a task that never was, is too old, or belongs to somebody else. */
export function unknownTask(taskId: string): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', `unknown task: ${taskId.slice(0, 100)}`)
}

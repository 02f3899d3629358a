import { McpError } from '../../rpc/errors/mcp-error.ts'

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

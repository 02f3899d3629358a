import { createBackoff } from '../../rpc/backoff.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { sleep } from '../../rpc/signals.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { TaskPort } from './task-port.ts'
import type { TaskState } from './task-state.ts'

/** Requests about a task, repeated while the server or a proxy is unavailable. */
export interface TaskRequests {
  /** Repeats a request whose failure says nothing about the task, until it is answered or aborted. */
  request(method: string, params: object, signal: AbortSignal): Promise<JsonObject>
  /** The task is there: so long it is waited for from now on. */
  seen(state: TaskState): void
}

export function createTaskRequests({ taskId, clock, request, onError }: TaskPort): TaskRequests {
  let deadline = Infinity

  return {
    async request(method, params, signal) {
      const backoff = createBackoff({ clock, minDelayMs: 500, maxDelayMs: 30_000 })
      for (let isFirst = true; ; isFirst = false) {
        try {
          return await request(method, { taskId, ...params }, { signal })
        } catch (error) {
          if (!provesNothing(error) || clock.now() >= deadline || signal.aborted) throw error
          if (isFirst) onError(error, { severity: 'warning', operation: method })
          await sleep(backoff.next(wishOf(error)), { clock, signal })
        }
      }
    },
    seen({ task: { ttlMs } }) {
      deadline = clock.now() + (ttlMs ?? Infinity)
    },
  }
}

/** Returns true for a failure of the connection: the task may still run. */
function provesNothing(error: unknown): boolean {
  if (isMcpError(error, 'http_error')) {
    const { status } = error.details
    return status >= 500 || status === 408 || status === 425 || status === 429
  }
  if (isRpcError(error, 'overloaded')) return true
  return isMcpError(error) && passing.has(error.code)
}

const passing: ReadonlySet<string> = new Set([
  'connection_lost',
  'session_lost',
  'timeout',
  'unreachable',
])

/** When the server would like to be asked again. */
function wishOf(error: unknown): number | undefined {
  if (isMcpError(error, 'http_error')) return error.details.retryAfterMs
  return isRpcError(error, 'overloaded') ? error.data?.retryAfterMs : undefined
}

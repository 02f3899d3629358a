import { followTask } from '../../../client/tasks/follow-task.ts'
import type { TaskPort } from '../../../client/tasks/task-port.ts'
import { resultOf } from '../../../client/tasks/task-result.ts'
import { readDetailed } from '../../../client/tasks/task-state.ts'
import { isMcpError } from '../../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../../rpc/errors/rpc-error.ts'
import { omit, type JsonObject } from '../../../schema/json.ts'
import { isTerminal } from '../../../schema/tasks.ts'
import { resolveAll } from '../answer-all.ts'
import type { Forwarded } from '../forward.ts'
import type { ProxySettings } from '../proxy-options.ts'
import { paramsFor } from '../translate.ts'
import type { Upstream } from '../upstream.ts'
import { declaringTasks } from './task-kinds.ts'

/** Follows a task of a server of 2026-07-28 to its end, for a client that cannot: what the call would have been answered with. */
export async function followServerTask(
  settings: ProxySettings,
  upstream: Upstream,
  forwarded: Forwarded,
  begun: JsonObject,
): Promise<JsonObject> {
  const { clock, onError, timeouts } = settings
  const { call, client, onProgress } = forwarded
  const signal = forwarded.signal ?? call.signal
  const state = readDetailed(begun, call.method)
  const { taskId } = state.task

  const port: TaskPort = {
    taskId,
    clock,
    onError,
    protocol: () => Promise.resolve('extension'),
    async request(method, params, options = {}) {
      if (method === 'subscriptions/listen') throw new TypeError('it is asked for often enough')
      const session = await upstream.ready()
      const { _meta } = paramsFor(session, call, client) ?? {}
      const { idleMs, totalMs } = timeouts
      const limits = { idleMs, totalMs, signal: options.signal }
      const about = { ...params, _meta: omit((_meta ?? {}) as JsonObject, ['progressToken']) } // of a request of this call
      return session.connection.request(method, declaringTasks(about), limits)
    },
    ask: async (requests) => resolveAll(await upstream.ready(), forwarded, requests),
    onNotification: () => ({ [Symbol.dispose]: () => undefined }),
    onProgress: onProgress && ((progress) => onProgress(progress as unknown as JsonObject)), // it came as JSON
    taken: new Set(),
  }

  try {
    let last = state
    for await (const next of followTask(port, state, signal)) last = next
    return await resultOf(port, last, signal)
  } catch (error) {
    if (signal.aborted && !isTerminal(state.task)) {
      port.request('tasks/cancel', { taskId }).catch((failure: unknown) => {
        onError(failure, { severity: 'warning', operation: 'tasks/cancel' })
      })
    }
    throw asAnswered(error)
  }
}

/** An error that a task ended with is the answer to the call. */
function asAnswered(error: unknown): unknown {
  return isMcpError(error, 'task_ended') && isRpcError(error.cause) ? error.cause : error
}

import type { ClientSession } from '../../../client/connection/session.ts'
import { isMcpError, McpError } from '../../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../../rpc/errors/rpc-error.ts'
import type { Notification } from '../../../rpc/message.ts'
import { isJsonObject, type JsonObject } from '../../../schema/json.ts'
import { tasksExtension } from '../../../wire/downgrade-initialize.ts'
import type { Forwarded, sendTo } from '../forward.ts'
import type { ProxySettings } from '../proxy-options.ts'
import type { Upstream } from '../upstream.ts'
import { followServerTask } from './follow-server-task.ts'
import { withoutTask } from './hosted-call.ts'
import { declaringTasks, hasOtherTasks, offersTasks } from './task-kinds.ts'

/**
 * Whether the server is to run a call as a task of its own kind, which this client could not follow: because the call is
 * the work of a task that we keep, or because the tool runs as a task only. Clients without tasks see a call that takes
 * long.
 */
export function needsTask(
  { tools }: ProxySettings,
  session: ClientSession,
  { call, isTask = false }: Forwarded,
): boolean {
  const { method, params } = call
  if (method !== 'tools/call') return false
  return (isTask || tools.isTask(params['name'])) && isForUs(session, call)
}

/** The server refused a call because it was no task; it has done nothing yet. */
export function wantsTask(session: ClientSession, { call }: Forwarded, error: unknown): boolean {
  if (call.method !== 'tools/call' || !isForUs(session, call)) return false
  if (session.codec.has.tasks === 'core') return isRpcError(error, 'method_not_found')
  if (!isRpcError(error, 'missing_client_capability')) return false
  const { requiredCapabilities } = error.data ?? {}
  return requiredCapabilities?.extensions?.[tasksExtension] !== undefined
}

/** The client cannot follow tasks of the server itself. */
function isForUs(session: ClientSession, { caller }: Forwarded['call']): boolean {
  return caller.codec.has.tasks === 'none' ? offersTasks(session) : hasOtherTasks(session, caller)
}

/** Begins the task and waits for its end. What it asks meanwhile reaches the client like all that a call asks. */
export async function sendAsTask(
  send: typeof sendTo,
  settings: ProxySettings,
  session: ClientSession,
  upstream: Upstream,
  forwarded: Forwarded,
  params: JsonObject,
): Promise<JsonObject> {
  if (session.kind === 'legacy') {
    const begun = await send(settings, session, forwarded, { ...params, task: {} })
    return waitForResult(send, settings, session, upstream, forwarded, begun)
  }
  const result = await send(settings, session, forwarded, declaringTasks(params))
  if (result['resultType'] !== 'task') return result
  return followServerTask(settings, upstream, forwarded, result)
}

/** In 2025-11-25 a server asks while its client waits for the result, and names the task in all that it sends for it. */
async function waitForResult(
  send: typeof sendTo,
  settings: ProxySettings,
  session: ClientSession,
  { tasks }: Upstream,
  forwarded: Forwarded,
  { task }: JsonObject,
): Promise<JsonObject> {
  const taskId = isJsonObject(task) ? task['taskId'] : undefined
  if (typeof taskId !== 'string') throw new TypeError('the server began no task')
  const { timeouts } = settings
  const totalMs = forwarded.isTask ? Infinity : timeouts.totalMs
  const patient = { ...settings, timeouts: { ...timeouts, idleMs: Infinity, totalMs } }
  tasks.set(taskId, { forwarded, receive: (notification) => receive(notification, forwarded) })
  try {
    return withoutTask(await send(patient, session, forwarded, { taskId }, 'tasks/result'))
  } catch (error) {
    if (forwarded.signal?.aborted ?? forwarded.call.isAborted) cancel(settings, session, taskId)
    throw begunBefore(error)
  } finally {
    tasks.delete(taskId)
  }
}

/** The server has begun to work on it, so that it must not be sent again like one that got lost. */
function begunBefore(error: unknown): unknown {
  if (!isMcpError(error, 'session_lost') && !isMcpError(error, 'connection_lost')) return error
  return new McpError('connection_lost', error.message, { details: { sent: true }, cause: error })
}

function receive({ method, params }: Notification, { onProgress, log }: Forwarded): void {
  if (method === 'notifications/progress') {
    const { progressToken: _, ...progress } = withoutTask(params)
    onProgress?.(progress)
  } else if (method === 'notifications/message') log(withoutTask(params))
}

function cancel(
  { timeouts, onError }: ProxySettings,
  { connection }: ClientSession,
  taskId: string,
): void {
  const { idleMs, totalMs } = timeouts
  connection.request('tasks/cancel', { taskId }, { idleMs, totalMs }).catch((error: unknown) => {
    onError(error, { severity: 'warning', operation: 'tasks/cancel' })
  })
}

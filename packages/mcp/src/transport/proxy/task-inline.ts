import type { ClientSession } from '../../client/connection/session.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts'
import type { Call } from '../../server/calls/call.ts'
import { omit } from '../../wire/omit.ts'
import type { Forwarded, sendTo } from './forward.ts'
import type { ProxySettings } from './proxy-options.ts'

/**
 * Some tools of 2025-11-25 run as a task only, which clients of other revisions cannot ask for. For them the call is made
 * as one and waited for here: they see a call that takes long.
 */
export function needsTask({ tools }: ProxySettings, session: ClientSession, call: Call): boolean {
  return (
    call.operation === 'tools/call' && tools.isTask(call.params['name']) && mayBeTask(session, call)
  )
}

/** The server refused a call because it was no task; it has done nothing yet. */
export function wantsTask(session: ClientSession, call: Call, error: unknown): boolean {
  return (
    call.operation === 'tools/call' &&
    isRpcError(error, 'method_not_found') &&
    mayBeTask(session, call)
  )
}

function mayBeTask({ codec, server }: ClientSession, { caller }: Call): boolean {
  return (
    codec.revision === '2025-11-25' &&
    caller.codec.revision !== codec.revision &&
    server.capabilities.tasks?.requests?.tools?.call !== undefined
  )
}

/** What the task asks comes while its result is waited for, and reaches the client like all that a call asks. */
export async function sendAsTask(
  send: typeof sendTo,
  settings: ProxySettings,
  session: ClientSession,
  forwarded: Forwarded,
  params: JsonObject | undefined,
): Promise<JsonObject> {
  const { task } = await send(settings, session, forwarded, { ...params, task: {} })
  const taskId = isJsonObject(task) ? task['taskId'] : undefined
  if (typeof taskId !== 'string') throw new TypeError('the server began no task')
  const patient = { ...settings, timeouts: { ...settings.timeouts, idleMs: Infinity } }
  try {
    return withoutTask(await send(patient, session, forwarded, { taskId }, 'tasks/result'))
  } catch (error) {
    if (isGivenUp(forwarded)) cancel(settings, session, taskId)
    throw error
  }
}

function isGivenUp({ call, signal }: Forwarded): boolean {
  return signal?.aborted ?? call.isAborted
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

/** Nobody was told of the task. */
function withoutTask(result: JsonObject): JsonObject {
  const { _meta, ...rest } = result
  if (!isJsonObject(_meta)) return result
  const meta = omit(_meta, ['io.modelcontextprotocol/related-task'])
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta }
}

import { quotaKeyOf, principalOf } from '../../rpc/auth-info.ts'
import { epochMs } from '../../rpc/clock.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { CallToolRequestParams, CallToolResult } from '../../schema/tools.ts'
import { checkedScopes } from '../access.ts'
import { Call, type Responder, type CallRunner } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import { runOperation } from '../calls/operations.ts'
import { reportUnexpected } from '../calls/report-fault.ts'
import type { TaskService, TaskSlot } from './server-tasks.ts'
import { nodeLost } from './task-access.ts'
import { untilStored } from './task-lifecycle.ts'
import { createTaskNotifications } from './task-notifications.ts'
import { startRun } from './task-run.ts'
import { transition, type TaskEvent } from './task-state.ts'
import type { TaskRecord, TaskRestart } from './task-store.ts'
import { TaskStart } from './task-view.ts'

/** A task that ends its process each time does not end all of them. */
const maxStarts = 3

/**
 * Takes up a task that nobody runs any more, for the request that has noticed it: starts it again if its tool allows that,
 * else ends it. The store lets one process do so. Undefined if another was first.
 */
export async function recoverTask(
  host: TaskService,
  record: TaskRecord,
  call: Call,
): Promise<TaskRecord | undefined> {
  const { restart } = record
  if (restart && restart.starts < maxStarts && call.runner) {
    return restartTask(host, record, restart, call, call.runner)
  }
  const failed = await write(host, record, nodeLost(record.isRetryable ?? false), call)
  if (failed) createTaskNotifications(call, record.taskId, host.waiters).sendStatus(failed)
  return failed
}

async function write(
  { store }: TaskService,
  record: TaskRecord,
  event: TaskEvent,
  { caller }: Call,
): Promise<TaskRecord | undefined> {
  const next = transition(record, event, epochMs(caller.clock))
  return (await store.update(next, record.version)) ? next : undefined
}

async function restartTask(
  host: TaskService,
  record: TaskRecord,
  restart: TaskRestart,
  call: Call,
  work: CallRunner,
): Promise<TaskRecord | undefined> {
  const slot = host.quota.take(quotaKeyOf(call.caller.auth))
  if (slot === undefined) return record // as soon as the caller has fewer
  const lease = host.lease(call.caller.clock)
  const restarted = await write(host, record, { type: 'restarted', lease }, call)
  if (restarted === undefined) slot.leave()
  else void run(host, restarted, restart, slot, call, work)
  return restarted
}

/**
 * The call once more, with everything around its handler. It is made in the name of the request that has noticed, whose
 * principal is the same.
 */
async function run(
  host: TaskService,
  record: TaskRecord,
  { params }: TaskRestart,
  slot: TaskSlot,
  noticed: Call,
  work: CallRunner,
): Promise<void> {
  const { definition } = work
  const call = new Call(withoutMirror(noticed.caller), noticed.id, 'tools/call', params, nobody)
  let hasStarted = false
  call.runner = work
  call.tasks = {
    async callTool(tool, context, runTool) {
      const { keepMs } = record
      const options = {
        host,
        tool,
        context,
        run: runTool,
        position: slot,
        keepMs,
        restarted: record,
      }
      const started = await startRun(options)
      hasStarted = true
      await started.become()
      return new TaskStart(record.taskId, {})
    },
  }
  try {
    call.authorize(checkedScopes(definition, call.method, params))
    const { codec } = call.caller
    if (!codec.has.serverRequests && 'requestState' in params) await call.resume(params)
    const named = params as unknown as CallToolRequestParams // as they were checked before the task was created
    const result = await runOperation(definition, 'tools/call', named, call)
    // Middleware may answer by itself.
    if (!hasStarted) await end({ type: 'completed', result: result as CallToolResult })
  } catch (error) {
    const wireError = isRpcError(error) ? error : reportUnexpected(error, call)
    if (!hasStarted) await end({ type: 'failed', error: call.caller.codec.encodeError(wireError) })
  }

  async function end(event: TaskEvent): Promise<void> {
    const { clock, auth, onError } = call.caller
    const by = { owner: host.owner, starts: record.restart?.starts ?? 1 }
    const principal = principalOf(auth)
    slot.leave()
    await untilStored(
      () => host.access.change(principal, record.taskId, event, clock, by),
      record.keepMs,
      clock,
      (error) => onError(error, { severity: 'error', operation: call.method }),
    )
  }
}

/** Headers of another request repeat nothing of this call. */
function withoutMirror(caller: Caller): Caller {
  const { http } = caller
  if (http?.mismatch === undefined) return caller
  const plain = { url: http.url, header: (name: string) => http.header(name) }
  return Object.create(caller, { http: { value: plain, enumerable: true } }) as Caller // the same with other headers
}

/** The request that started the task was answered long ago. */
const nobody: Responder = { reply: ignore, reject: ignore, forget: ignore }

function ignore(): void {
  // The same as above.
}

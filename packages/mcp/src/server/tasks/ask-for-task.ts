import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { anySignal, sleep } from '../../rpc/signals.ts'
import { describeProblem } from '../../schema/check.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { coreTask, type CoreTask } from '../../schema/tasks.ts'
import type { Caller, RequestLimits } from '../calls/caller.ts'
import type { AskedTask } from '../context.ts'

/**
 * Sends an input request to a client that answers it as a task, and polls the task until it ends. Undefined for a client
 * that has no such tasks.
 */
export function askForTask(
  caller: Caller,
  method: string,
  params: object | undefined,
  limits: RequestLimits,
  task: AskedTask,
): Promise<JsonObject> | undefined {
  return takesTasks(caller, method) ? follow(caller, method, params, limits, task) : undefined
}

function takesTasks({ codec, client }: Caller, method: string): boolean {
  if (codec.has.tasks !== 'core') return false
  const { sampling, elicitation } = client.capabilities.tasks?.requests ?? {}
  if (method === 'sampling/createMessage') return sampling?.createMessage !== undefined
  return method === 'elicitation/create' && elicitation?.create !== undefined
}

async function follow(
  caller: Caller,
  method: string,
  params: object | undefined,
  limits: RequestLimits,
  { ttlMs, waitMs = Infinity, onStatus }: AskedTask,
): Promise<JsonObject> {
  const timeoutMs = Math.min(waitMs, limits.timeoutMs)
  const late = new AbortController()
  const timer = caller.clock.setTimer(() => late.abort(tooLate(method, timeoutMs)), timeoutMs)
  const signal = anySignal(late.signal, limits.signal)
  let taskId: string | undefined
  let isOver = false

  function send(taskMethod: string, input: object): Promise<JsonObject> {
    return caller.request(taskMethod, input, { timeoutMs, signal })
  }

  function told(value: unknown): CoreTask {
    const task = readTask(value, method, caller)
    taskId ??= task.taskId
    onStatus?.(toTask(task))
    return task
  }

  /** A task that the client no longer knows has expired. */
  function onUnknown(error: unknown): never {
    if (taskId === undefined || !isRpcError(error, 'invalid_params')) throw error
    isOver = true
    throw ended({ taskId }, 'expired', error)
  }

  try {
    const answer = await send(method, {
      ...params,
      task: ttlMs === undefined ? {} : { ttl: ttlMs },
    })
    if (!isJsonObject(answer['task'])) return answer // a client may answer at once
    let task = told(answer['task'])
    const about = { taskId: task.taskId }
    while (task.status === 'working') {
      await sleep(waitBeforePoll(task), { clock: caller.clock, signal })
      task = told(await send('tasks/get', about).catch(onUnknown))
    }
    isOver = task.status !== 'input_required'
    if (task.status === 'cancelled') throw ended(task, 'cancelled')
    const result = await send('tasks/result', about)
    isOver = true
    if (task.status === 'failed') throw ended(task, 'failed') // which should have been its answer
    return result
  } finally {
    timer[Symbol.dispose]()
    if (taskId !== undefined && !isOver) giveUp(caller, taskId)
  }
}

function readTask(value: unknown, method: string, { client }: Caller): CoreTask {
  const problem = coreTask(value)
  if (problem === undefined) return value as CoreTask // just checked
  const why = describeProblem(problem)
  throw new McpError('invalid_message', `the client's task for ${method} does not fit: ${why}`, {
    details: { excerpt: why },
    peer: client.info?.name,
  })
}

/** With the names of the extension, as everywhere in the public interface. */
function toTask({ ttl, pollInterval, ...task }: CoreTask): Parameters<OnStatus>[0] {
  const interval = pollInterval !== undefined && { pollIntervalMs: pollInterval }
  return { ...task, ttlMs: ttl, ...interval }
}

type OnStatus = NonNullable<AskedTask['onStatus']>

/** Returns the interval that the client wants, within bounds. */
function waitBeforePoll({ pollInterval = 1_000 }: CoreTask): number {
  return Math.min(Math.max(pollInterval, 50), 60_000)
}

function ended(
  { taskId, statusMessage }: Pick<CoreTask, 'taskId' | 'statusMessage'>,
  status: 'failed' | 'cancelled' | 'expired',
  cause?: unknown,
): McpError<'task_ended'> {
  const why = statusMessage === undefined ? '' : `: ${statusMessage}`
  return new McpError('task_ended', `the client's task ${taskId} has ${endings[status]}${why}`, {
    details: { taskId, status },
    ...(cause !== undefined && { cause }),
  })
}

const endings = { failed: 'failed', cancelled: 'been cancelled', expired: 'been forgotten' }

/** Cancels a task that nobody waits for; the answer does not matter. */
function giveUp(caller: Caller, taskId: string): void {
  if (caller.client.capabilities.tasks?.cancel === undefined) return
  const { signal } = new AbortController()
  const timeoutMs = giveUpMs
  caller.request('tasks/cancel', { taskId }, { timeoutMs, signal }).catch(() => undefined)
}

const giveUpMs = 10_000

/** `what` was asked of the client, and there was no answer in time. */
export function tooLate(what: string, ms: number): McpError<'timeout'> {
  return new McpError('timeout', `the client did not answer ${what} within ${ms} ms`, {
    details: { limit: 'input', ms },
  })
}

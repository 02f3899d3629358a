import { afterThisTurn } from '../../rpc/after-this-turn.ts'
import { quotaKeyOf } from '../../rpc/auth-info.ts'
import type { Clock } from '../../rpc/clock.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { ToolError } from '../../rpc/errors/tool-error.ts'
import type { TaskRequest } from '../../schema/tasks.ts'
import { tasksExtension } from '../../wire/downgrade-initialize.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import type { CallContext } from '../context.ts'
import type { RunTool, ToolOutcome } from '../extensions.ts'
import type { TaskTool } from '../tools/tools.ts'
import type { TaskService } from './server-tasks.ts'
import { toInputResponse, type RunOutcome, startRun } from './task-run.ts'
import type { TaskRecord } from './task-store.ts'
import { TaskStart, toCoreTask, toTask } from './task-view.ts'

/** Runs a tool: inline, as a task, or inline first and then as a task, as the tool and the client have it. */
export async function callAsTask(
  host: TaskService,
  tool: TaskTool,
  context: CallContext,
  run: RunTool,
): Promise<ToolOutcome> {
  const { call } = context
  const plan = planFor(host, tool, call)
  if (plan === 'inline') return run(context)
  const slot = host.quota.take(quotaKeyOf(call.caller.auth))
  if (slot === undefined) {
    if (plan.mayStayInline) return run(context)
    throw new RpcError('overloaded', 'too many tasks of this caller: wait until some have ended')
  }
  const { keepMs } = plan
  const work = await startRun({ host, tool, context, run, position: slot, keepMs })
  using late = after(plan.graceMs, call.caller.clock)
  const first = await Promise.race([work.outcome, work.turned, late.passed])
  if (!work.isTask && isOutcome(first) && (plan.mayStayInline || first.kind !== 'result')) {
    slot.leave()
    return toInputResponse(first)
  }
  if (!work.isTask && (work.isEnding || call.isAborted)) {
    slot.leave()
    return toInputResponse(await work.outcome) // an aborted call is not answered
  }
  const record = await work.become()
  return new TaskStart(record.taskId, created(record, call.caller))
}

interface TaskPlan {
  /** How long the work has before it becomes a task; undefined means until the next turn of the event loop. */
  readonly graceMs: number | undefined
  /** A result within that time is answered as if there were no tasks. */
  readonly mayStayInline: boolean
  readonly keepMs: number
}

/** Where tasks are an extension, the server decides; in 2025-11-25 the client does, if the tool allows it. */
function planFor(host: TaskService, { name, config }: TaskTool, call: Call): TaskPlan | 'inline' {
  const { task: support = 'never' } = config
  const { ttlMs, inlineMs } = host
  switch (call.caller.codec.has.tasks) {
    case 'none':
      if (support === 'required') throw new ToolError(`tool ${name} runs only as a task`)
      return 'inline'
    case 'core': {
      const taskRequest = call.params['task'] as TaskRequest | undefined // checked with the params
      if (taskRequest === undefined && support === 'required')
        throw mismatch(name, 'only as a task')
      if (taskRequest !== undefined && support === 'never') throw mismatch(name, 'never as a task')
      if (taskRequest === undefined) return 'inline'
      return { graceMs: undefined, mayStayInline: false, keepMs: granted(taskRequest, ttlMs) }
    }
    case 'extension': {
      const canFollow = declaresTasks(call.caller)
      if (support === 'required') requireTasks(`tool ${name}`, call.caller)
      if (support === 'never' || !canFollow) return 'inline'
      const isOptional = support === 'optional'
      const graceMs = isOptional ? inlineMs : undefined
      return { graceMs, mayStayInline: isOptional, keepMs: ttlMs }
    }
  }
}

/** True if this request declares the tasks extension. */
export function declaresTasks({ client }: Caller): boolean {
  return client.capabilities.extensions?.[tasksExtension] !== undefined
}

/** Throws `missing_client_capability` for a client that does not declare the tasks extension. */
export function requireTasks(what: string, caller: Caller): void {
  if (declaresTasks(caller)) return
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } }
  const why = `${what} needs a client that can follow tasks`
  throw new RpcError('missing_client_capability', why, { data: { requiredCapabilities } })
}

function mismatch(name: string, how: string): RpcError {
  return new RpcError('method_not_found', `tool ${name} can be called ${how}`, {
    data: { method: 'tools/call' },
  })
}

/** The time that the client asked for, within our limits. */
function granted({ ttl }: TaskRequest, maxMs: number): number {
  return ttl === undefined ? maxMs : Math.min(Math.max(ttl, minMs), maxMs)
}

const minMs = 1_000

function created(record: TaskRecord, { codec }: Caller): object {
  return codec.has.tasks === 'core'
    ? { task: toCoreTask(record) }
    : { resultType: 'task', ...toTask(record) }
}

function isOutcome(first: unknown): first is RunOutcome {
  return typeof first === 'object' && first !== null && 'kind' in first
}

/** A timer to await, which can be disposed. */
function after(ms: number | undefined, clock: Clock): Disposable & { passed: Promise<void> } {
  let timer: Disposable | undefined
  const passed = new Promise<void>((resolve) => {
    if (ms !== undefined) timer = clock.setTimer(resolve, ms)
    else afterThisTurn(resolve)
  })
  return { passed, [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}

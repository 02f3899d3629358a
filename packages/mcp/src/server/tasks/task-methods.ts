/**
 * The methods `tasks/get`, `tasks/list`, `tasks/cancel`, `tasks/update` and `tasks/result`, for the core of 2025-11-25 and for the extension.
 *
 * Reads and changes records through `task-access.ts`, which hides the tasks of other principals. Starting a task is the business of
 * `tools/call` (`task-calls.ts`).
 */

import { principalOf } from '../../rpc/auth-info.ts'
import { readParams } from '../../rpc/errors/invalid-params.ts'
import { RpcError, isRpcError } from '../../rpc/errors/rpc-error.ts'
import { unknownTask, taskCancelled } from '../../rpc/errors/task-errors.ts'
import { anySignal } from '../../rpc/signals.ts'
import type { ExtensionMethod } from '../../schema/capabilities.ts'
import type { InputRequest } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { ExtensionRequests } from '../../schema/methods/client-requests.ts'
import { listParams } from '../../schema/pagination.ts'
import { isTerminal, taskParams, updateTaskParams } from '../../schema/tasks.ts'
import { decodeWireError } from '../../wire/error-codes.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import { methodNotFound } from '../calls/dispatch.ts'
import type { CallContext } from '../context.ts'
import type { TaskService } from './server-tasks.ts'
import { requireTasks } from './task-calls.ts'
import type { TaskRecord, TaskInputResponse } from './task-store.ts'
import { toCoreTask, toDetailedTask } from './task-view.ts'

type TaskRequest = Extract<keyof ExtensionRequests, `tasks/${string}`>

type TaskMethod = (params: JsonObject, context: CallContext) => Promise<object>

/** The methods `tasks/*`. */
export function taskMethods(host: TaskService): { [method: string]: ExtensionMethod } {
  const { access } = host

  async function find(params: JsonObject, method: string, call: Call): Promise<TaskRecord> {
    const { taskId } = readParams(method, taskParams, params)
    const record = await access.find(principalOf(call.caller.auth), taskId, call)
    if (record === undefined) throw unknownTask(taskId)
    return record
  }

  const methods: { readonly [M in TaskRequest]: TaskMethod } = {
    async 'tasks/get'(params, { call }) {
      const { caller } = call
      const record = await find(params, 'tasks/get', call)
      return isCore(caller) ? toCoreTask(record) : toDetailedTask(record, caller.codec)
    },

    async 'tasks/cancel'(params, { call }) {
      const { caller } = call
      const { taskId } = readParams('tasks/cancel', taskParams, params)
      const principal = principalOf(caller.auth)
      // Not found as by others, who would start a task again that is to end.
      const before = await access.peek(principal, taskId, caller.clock)
      const record = await access.change(principal, taskId, { type: 'cancelled' }, caller.clock)
      if (before === undefined || record === undefined) throw unknownTask(taskId)
      if (!isCore(caller)) return {}
      if (isTerminal(before) || record.status !== 'cancelled') throw endedBefore(record)
      return toCoreTask(record)
    },

    async 'tasks/update'(params, { call: { caller } }) {
      const { taskId, inputResponses } = readParams('tasks/update', updateTaskParams, params)
      const entries = Object.entries(inputResponses).map(
        ([key, result]) => [key, { result }] as const,
      )
      const event = { type: 'answered', answers: Object.fromEntries(entries) } as const
      const principal = principalOf(caller.auth)
      const record = await access.change(principal, taskId, event, caller.clock)
      if (record === undefined) throw unknownTask(taskId)
      return {}
    },

    'tasks/result': (params, { call }) => {
      const { taskId } = readParams('tasks/result', taskParams, params)
      return awaitResult(host, taskId, call)
    },

    async 'tasks/list'(params, { call }) {
      const { caller } = call
      if (!host.mayList(caller)) throw methodNotFound('tasks/list')
      const { cursor } = readParams('tasks/list', listParams, params)
      const page = await host.store.list(principalOf(caller.auth), cursor)
      const found = page.tasks.map(({ principal, taskId }) => access.find(principal, taskId, call))
      const tasks = (await Promise.all(found)).filter((record) => record !== undefined)
      return {
        tasks: tasks.map(toCoreTask),
        ...(page.cursor !== undefined && { nextCursor: page.cursor }),
      }
    },
  }
  return Object.fromEntries(
    Object.entries(methods).map(([method, run]) => [method, withTasks(method, run)]),
  )
}

/** A method of the extension is for clients that declare the extension. */
function withTasks(method: string, run: TaskMethod): ExtensionMethod {
  return async (params, methodContext) => {
    const context = methodContext as CallContext // what every method of a server's extension is given
    const { caller } = context.call
    if (!isCore(caller)) requireTasks(method, caller)
    return (await run(params, context)) as JsonObject // messages are JSON
  }
}

function endedBefore({ status }: TaskRecord): RpcError {
  return new RpcError('invalid_params', `the task is ${status} already`)
}

function isCore({ codec }: Caller): boolean {
  return codec.has.tasks === 'core'
}

/** `tasks/result`: waits for a task and answers like the call that started it; sends its input requests meanwhile. */
async function awaitResult(host: TaskService, taskId: string, call: Call): Promise<JsonObject> {
  const { caller } = call
  const principal = principalOf(caller.auth)
  const sent = new Map<string, AbortController>()
  let wake: () => void = () => undefined
  const subscriptions = [
    host.store.watch(principal, taskId, () => wake()),
    host.waiters.enter(taskId, caller),
  ]
  call.signal.addEventListener('abort', () => wake(), { once: true })

  async function ask(key: string, { method, params }: InputRequest): Promise<void> {
    const controller = new AbortController()
    sent.set(key, controller)
    const signal = anySignal(call.signal, controller.signal)
    const related = { ...params, _meta: { ...metaOf(params), [metaKeys.task]: { taskId } } }
    try {
      const timeoutMs = caller.limits.inputMs
      await answer(key, { result: await caller.request(method, related, { timeoutMs, signal }) })
    } catch (error) {
      // Other failures concern this channel only: the input request stays open for the next one.
      if (isRpcError(error)) await answer(key, { error: caller.codec.encodeError(error) })
    }
  }

  async function answer(key: string, reply: TaskInputResponse): Promise<void> {
    const event = { type: 'answered', answers: { [key]: reply } } as const
    await host.access.change(principal, taskId, event, caller.clock)
  }

  /** Only the newest waiting call sends input requests, and only open ones. */
  function requestOpen({ inputRequests = {} }: TaskRecord): void {
    const open = host.waiters.newest(taskId) === caller ? inputRequests : {}
    for (const [key, controller] of sent) {
      if (Object.hasOwn(open, key)) continue
      controller.abort(
        new RpcError('invalid_request', 'the input request was answered by another client'),
      )
      sent.delete(key)
    }
    for (const [key, request] of Object.entries(open)) {
      if (!sent.has(key)) void ask(key, request)
    }
  }

  try {
    while (!call.isAborted) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const record = await host.access.find(principal, taskId, call)
      if (record === undefined) throw unknownTask(taskId)
      if (isTerminal(record)) return resultOf(record, call)
      requestOpen(record)
      const poll = host.pollMs && caller.clock.setTimer(wake, host.pollMs)
      await changed
      if (poll) poll[Symbol.dispose]()
    }
    return {}
  } finally {
    for (const each of subscriptions) each[Symbol.dispose]()
    for (const controller of sent.values()) controller.abort(call.signal.reason)
  }
}

function metaOf(params: JsonObject | undefined): object {
  return (params?.['_meta'] as JsonObject | undefined) ?? {} // an object wherever it is set
}

function resultOf({ taskId, result, error }: TaskRecord, { caller }: Call): JsonObject {
  if (error) throw decodeWireError(error)
  if (result === undefined) throw taskCancelled()
  const encoded = caller.codec.encodeResult('tools/call', result) as JsonObject // results are JSON
  return { ...encoded, _meta: { ...metaOf(encoded), [metaKeys.task]: { taskId } } }
}

import { principalOf } from '../../rpc/auth-info.ts'
import { readParams } from '../../rpc/errors/invalid-params.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { unknownTask } from '../../rpc/errors/task-errors.ts'
import type { ExtensionMethod } from '../../schema/extension.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { ExtensionRequests } from '../../schema/methods/client-requests.ts'
import { listParams } from '../../schema/pagination.ts'
import { isTerminal, taskParams, updateTaskParams } from '../../schema/tasks.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import type { CallContext } from '../context.ts'
import { methodNotFound } from '../peer/dispatch.ts'
import { requireTasks } from './task-calls.ts'
import type { TaskHost } from './task-host.ts'
import { awaitResult } from './task-result.ts'
import type { TaskRecord } from './task-store.ts'
import { toCoreTask, toDetailedTask } from './task-view.ts'

type TaskRequest = Extract<keyof ExtensionRequests, `tasks/${string}`>

type TaskMethod = (params: JsonObject, context: CallContext) => Promise<object>

/** The methods `tasks/*`. */
export function taskMethods(host: TaskHost): { [method: string]: ExtensionMethod } {
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
      const given = Object.entries(inputResponses).map(
        ([key, result]) => [key, { result }] as const,
      )
      const event = { type: 'answered', answers: Object.fromEntries(given) } as const
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
      const known = page.tasks.map(({ principal, taskId }) => access.find(principal, taskId, call))
      const tasks = (await Promise.all(known)).filter((record) => record !== undefined)
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
  return async (params, given) => {
    const context = given as CallContext // what every method of a server's extension is given
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

import { readParams } from '../../rpc/errors/invalid-params.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { unknownTask } from '../../rpc/errors/task-errors.ts'
import { pageAfter } from '../../rpc/numbered-page.ts'
import { createTokenBucket } from '../../rpc/rate.ts'
import type { ClientCapabilities, ClientTaskRequests } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json.ts'
import { listParams, type PageParams } from '../../schema/pagination.ts'
import { taskParams, taskRequest, type TaskRequest } from '../../schema/tasks.ts'
import type { InputRunner, InputExtension, ExtensionRequests } from '../input/input-extension.ts'
import { createInputTaskStore, type InputTasksOptions } from './input-task-store.ts'
import type { InputTask } from './input-task.ts'

/** Takes on as tasks, in 2025-11-25, what a client can be asked. */
export function inputTasks(
  { sampling, elicitation }: ClientCapabilities,
  options: InputTasksOptions,
): InputExtension | undefined {
  if ((sampling ?? elicitation) === undefined) return undefined
  const requests = {
    ...(sampling && { sampling: { createMessage: {} } }),
    ...(elicitation && { elicitation: { create: {} } }),
  }
  return {
    capabilities: { tasks: { list: {}, cancel: {}, requests } },
    open: (runner) => takeAsTasks(runner, requests, options),
  }
}

/** Beyond this a server is no longer asking how it goes. */
const rate = { burst: 200, perSecond: 100 }

function takeAsTasks(
  runner: InputRunner,
  { sampling, elicitation }: ClientTaskRequests,
  options: InputTasksOptions,
): ExtensionRequests {
  const tasks = createInputTaskStore(runner, options)
  const bucket = createTokenBucket(runner.clock, rate)

  function find(params: JsonObject, method: string): InputTask {
    const { taskId } = readParams(method, taskParams, params)
    const task = tasks.find(taskId)
    if (task === undefined) throw unknownTask(taskId)
    return task
  }

  const methods = new Map<string, (params: JsonObject, method: string) => object>([
    ['tasks/get', (params, method) => find(params, method).view()],
    ['tasks/result', (params, method) => find(params, method).result()],
    [
      'tasks/list',
      (params, method) => {
        const { cursor } = readParams<PageParams>(method, listParams, params)
        const page = pageAfter(tasks.all(), cursor)
        const next = page.cursor !== undefined && { nextCursor: page.cursor }
        return { tasks: page.items.map((task) => task.view()), ...next }
      },
    ],
    [
      'tasks/cancel',
      (params, method) => {
        const task = find(params, method)
        if (task.isOver) throw endedBefore(task)
        task.cancel()
        return task.view()
      },
    ],
  ])

  function mayBecomeTask(method: string): boolean {
    if (method === 'sampling/createMessage') return sampling !== undefined
    return method === 'elicitation/create' && elicitation !== undefined
  }

  return {
    take({ method, params }, connection) {
      if (runner.codec()?.has.tasks !== 'core') return undefined
      const about = methods.get(method)
      if (about) {
        if (!bucket.take())
          throw new RpcError('overloaded', 'too many requests about tasks at once')
        return { result: about(params, method) }
      }
      const { task: wanted, ...inputRequest } = params
      if (wanted === undefined || !mayBecomeTask(method)) return undefined
      const { ttl } = readParams<TaskRequest>(`${method}: task`, taskRequest, wanted)
      const task = tasks.start(method, inputRequest, connection, ttl)
      return { result: { task: task.view() }, onReplied: () => void task.run() }
    },
    end: tasks.end,
  }
}

function endedBefore(task: InputTask): RpcError {
  return new RpcError('invalid_params', `the task is ${task.view().status} already`)
}

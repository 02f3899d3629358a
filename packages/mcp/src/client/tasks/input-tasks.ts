import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { pageAfter } from '../../rpc/numbered-page.ts'
import { createTokenBucket } from '../../rpc/time/token-bucket.ts'
import { unknownTask } from '../../rpc/unknown-task.ts'
import type { ClientCapabilities, ClientTaskRequests } from '../../schema/capabilities.ts'
import { describeProblem, type Check } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import { listParams, type PageParams } from '../../schema/pagination.ts'
import { taskParams, taskRequest, type TaskRequest } from '../../schema/tasks.ts'
import type { QuestionDesk, QuestionTaking, TakenQuestions } from '../input/input-extension.ts'
import { createAskedTasks, type QuestionTasksOptions } from './input-task-store.ts'
import type { AskedTask } from './input-task.ts'

/** Takes on as tasks, in 2025-11-25, what a client can be asked. */
export function questionTasks(
  { sampling, elicitation }: ClientCapabilities,
  options: QuestionTasksOptions,
): QuestionTaking | undefined {
  if ((sampling ?? elicitation) === undefined) return undefined
  const requests = {
    ...(sampling && { sampling: { createMessage: {} } }),
    ...(elicitation && { elicitation: { create: {} } }),
  }
  return {
    capabilities: { tasks: { list: {}, cancel: {}, requests } },
    open: (desk) => takeAsTasks(desk, requests, options),
  }
}

/** Beyond this a server is no longer asking how it goes. */
const rate = { burst: 200, perSecond: 100 }

function takeAsTasks(
  desk: QuestionDesk,
  { sampling, elicitation }: ClientTaskRequests,
  options: QuestionTasksOptions,
): TakenQuestions {
  const tasks = createAskedTasks(desk, options)
  const bucket = createTokenBucket(desk.clock, rate)

  function find(params: JsonObject, method: string): AskedTask {
    const { taskId } = checked(taskParams, params, method)
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
        const { cursor } = checked<PageParams>(listParams, params, method)
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
      if (desk.codec()?.has.tasks !== 'core') return undefined
      const about = methods.get(method)
      if (about) {
        if (!bucket.take())
          throw new RpcError('overloaded', 'too many requests about tasks at once')
        return { result: about(params, method) }
      }
      const { task: wanted, ...question } = params
      if (wanted === undefined || !mayBecomeTask(method)) return undefined
      const { ttl } = checked<TaskRequest>(taskRequest, wanted, `${method}: task`)
      const task = tasks.start(method, question, connection, ttl)
      return { result: { task: task.view() }, onReplied: () => void task.run() }
    },
    end: tasks.end,
  }
}

function endedBefore(task: AskedTask): RpcError {
  return new RpcError('invalid_params', `the task is ${task.view().status} already`)
}

function checked<T>(check: Check<T>, value: unknown, what: string): T {
  const problem = check(value)
  if (problem === undefined) return value as T // just checked
  throw new RpcError('invalid_params', `${what}: ${describeProblem(problem)}`)
}

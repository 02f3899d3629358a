/**
 * The tasks of a protocol object: answers requests for them, follows them, and gives handlers their view of the store.
 *
 * `Protocol` calls these functions with itself. Stores and queues are the program's; the ones in memory are in
 * `experimental/tasks/stores/`. Messages of a task wait in its queue until the other side asks for the result.
 */

import { errorMessage } from '@parley/mcp/json'

import { ErrorCode, McpError } from '../errors.ts'
import type {
  QueuedMessage,
  TaskMessageQueue,
  TaskStore,
} from '../experimental/tasks/interfaces.ts'
import { isTerminal } from '../experimental/tasks/interfaces.ts'
import { RELATED_TASK_META_KEY } from '../schemas/base.ts'
import {
  CancelTaskRequestSchema,
  CreateTaskResultSchema,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  TaskStatusNotificationSchema,
} from '../schemas/tasks.ts'
import type { AnyObjectSchema, AnySchema, SchemaOutput } from '../server/zod-compat.ts'
import type {
  JSONRPCRequest,
  JSONRPCResultResponse,
  Notification,
  Request,
  RequestId,
  Result,
  Task,
} from '../types.ts'
import type { ProtocolOptions, RequestOptions, RequestTaskStore } from './protocol.ts'
import type { ResponseMessage } from './responseMessage.ts'
import type { Transport } from './transport.ts'

/** The inside of a protocol object that tasks need. */
interface TaskProtocol {
  readonly _transport?: Transport
  readonly _taskMessageQueue?: TaskMessageQueue
  readonly _requestResolvers: Map<RequestId, (response: JSONRPCResultResponse | Error) => void>
  _onerror(error: Error): void
  _clearTaskQueue(taskId: string, sessionId?: string): Promise<void>
  _waitForTaskUpdate(taskId: string, signal: AbortSignal, sessionId?: string): Promise<void>
  setRequestHandler<T extends AnyObjectSchema>(
    schema: T,
    handler: (
      request: SchemaOutput<T>,
      extra: { sessionId?: string; signal: AbortSignal; requestId: RequestId },
    ) => Promise<Result>,
  ): void
  request<T extends AnySchema>(
    request: Request,
    schema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>>
  getTask(params: { taskId: string }, options?: RequestOptions): Promise<Task>
  getTaskResult<T extends AnySchema>(
    params: { taskId: string },
    schema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>>
}

const invalidParams = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message)
const textOf = (error: unknown): string => errorMessage(error)

/** Answers `tasks/get`, `tasks/result`, `tasks/list` and `tasks/cancel` from the store. */
export function respondToTaskRequests(protocol: TaskProtocol, store: TaskStore): void {
  protocol.setRequestHandler(GetTaskRequestSchema, async ({ params }, { sessionId }) => {
    const task = await store.getTask(params.taskId, sessionId)
    if (!task) throw invalidParams('Failed to retrieve task: Task not found')
    return { ...task }
  })

  protocol.setRequestHandler(GetTaskPayloadRequestSchema, async ({ params }, extra) => {
    const { taskId } = params
    while (true) {
      // Before its messages: they are for the session of the task alone.
      if (!(await store.getTask(taskId, extra.sessionId))) {
        throw invalidParams(`Task not found: ${taskId}`)
      }
      await deliverQueued(protocol, taskId, extra)
      const task = await store.getTask(taskId, extra.sessionId)
      if (!task) throw invalidParams(`Task not found: ${taskId}`)
      if (isTerminal(task.status)) break
      await protocol._waitForTaskUpdate(taskId, extra.signal, extra.sessionId)
    }
    const result = await store.getTaskResult(taskId, extra.sessionId)
    await protocol._clearTaskQueue(taskId, extra.sessionId)
    return { ...result, _meta: { ...result._meta, [RELATED_TASK_META_KEY]: { taskId } } }
  })

  protocol.setRequestHandler(ListTasksRequestSchema, async ({ params }, { sessionId }) => {
    try {
      const { tasks, nextCursor } = await store.listTasks(params?.cursor, sessionId)
      return { tasks, nextCursor, _meta: {} }
    } catch (error) {
      throw invalidParams(`Failed to list tasks: ${textOf(error)}`)
    }
  })

  protocol.setRequestHandler(CancelTaskRequestSchema, async ({ params }, { sessionId }) => {
    const { taskId } = params
    try {
      const task = await store.getTask(taskId, sessionId)
      if (!task) throw invalidParams(`Task not found: ${taskId}`)
      if (isTerminal(task.status)) {
        throw invalidParams(`Cannot cancel task in terminal status: ${task.status}`)
      }
      await store.updateTaskStatus(
        taskId,
        'cancelled',
        'Client cancelled task execution.',
        sessionId,
      )
      await protocol._clearTaskQueue(taskId, sessionId)
      const cancelled = await store.getTask(taskId, sessionId)
      if (!cancelled) throw invalidParams(`Task not found after cancellation: ${taskId}`)
      return { _meta: {}, ...cancelled }
    } catch (error) {
      if (error instanceof McpError) throw error
      throw new McpError(ErrorCode.InvalidRequest, `Failed to cancel task: ${textOf(error)}`)
    }
  })
}

/** Sends what waited for this, and hands received answers to whoever asked. */
async function deliverQueued(
  protocol: TaskProtocol,
  taskId: string,
  { sessionId, requestId }: { sessionId?: string; requestId: RequestId },
): Promise<void> {
  const queue = protocol._taskMessageQueue
  if (!queue) return
  let queued: QueuedMessage | undefined
  while ((queued = await queue.dequeue(taskId, sessionId))) {
    if (queued.type === 'request' || queued.type === 'notification') {
      await protocol._transport?.send(queued.message, { relatedRequestId: requestId })
      continue
    }
    const id = queued.message.id as RequestId
    const resolver = protocol._requestResolvers.get(id)
    if (!resolver) {
      const kind = queued.type === 'response' ? 'Response' : 'Error'
      protocol._onerror(new Error(`${kind} handler missing for request ${String(id)}`))
      continue
    }
    protocol._requestResolvers.delete(id)
    if (queued.type === 'response') resolver(queued.message)
    else {
      const { code, message, data } = queued.message.error
      resolver(new McpError(code, message, data))
    }
  }
}

/** Sends a request, and follows the task it becomes. */
export async function* streamRequest<T extends AnySchema>(
  protocol: TaskProtocol,
  request: Request,
  resultSchema: T,
  options: RequestOptions | undefined,
  defaults: ProtocolOptions | undefined,
): AsyncGenerator<ResponseMessage<SchemaOutput<T>>, void, void> {
  try {
    if (!options?.task) {
      yield { type: 'result', result: await protocol.request(request, resultSchema, options) }
      return
    }
    const { task: created } = await protocol.request(request, CreateTaskResultSchema, options)
    if (!created) throw new McpError(ErrorCode.InternalError, 'Task creation did not return a task')
    const { taskId } = created
    yield { type: 'taskCreated', task: created }

    while (true) {
      const task = await protocol.getTask({ taskId }, options)
      yield { type: 'taskStatus', task }
      if (task.status === 'completed' || task.status === 'input_required') {
        const result = await protocol.getTaskResult({ taskId }, resultSchema, options)
        yield { type: 'result', result }
        return
      }
      if (task.status === 'failed') {
        throw new McpError(ErrorCode.InternalError, `Task ${taskId} failed`)
      }
      if (task.status === 'cancelled') {
        throw new McpError(ErrorCode.InternalError, `Task ${taskId} was cancelled`)
      }
      const interval = task.pollInterval ?? defaults?.defaultTaskPollInterval ?? 1_000
      await new Promise((resolve) => setTimeout(resolve, interval))
      options.signal?.throwIfAborted()
    }
  } catch (error) {
    yield {
      type: 'error',
      error:
        error instanceof McpError ? error : new McpError(ErrorCode.InternalError, String(error)),
    }
  }
}

interface RequestScope {
  readonly request: JSONRPCRequest | undefined
  readonly sessionId: string | undefined
  notify(notification: Notification): Promise<void>
  onTerminal(taskId: string): void
}

/** The store bound to a request and its session; tells the other side of changes. */
export function createRequestTaskStore(store: TaskStore, scope: RequestScope): RequestTaskStore {
  const { request, sessionId } = scope

  async function notify(taskId: string): Promise<void> {
    const task = await store.getTask(taskId, sessionId)
    if (!task) return
    await scope.notify(
      TaskStatusNotificationSchema.parse({
        method: 'notifications/tasks/status',
        params: task,
      }),
    )
    if (isTerminal(task.status)) scope.onTerminal(taskId)
  }

  return {
    async createTask(taskParams) {
      if (!request) throw new Error('No request provided')
      const { method, params } = request
      return store.createTask(taskParams, request.id, { method, params }, sessionId)
    },
    async getTask(taskId) {
      const task = await store.getTask(taskId, sessionId)
      if (!task) throw invalidParams('Failed to retrieve task: Task not found')
      return task
    },
    async storeTaskResult(taskId, status, result) {
      await store.storeTaskResult(taskId, status, result, sessionId)
      await notify(taskId)
    },
    getTaskResult: (taskId) => store.getTaskResult(taskId, sessionId),
    async updateTaskStatus(taskId, status, statusMessage) {
      const task = await store.getTask(taskId, sessionId)
      if (!task) {
        throw invalidParams(`Task "${taskId}" not found - it may have been cleaned up`)
      }
      if (isTerminal(task.status)) {
        throw invalidParams(
          `Cannot update task "${taskId}" from terminal status "${task.status}" to "${status}". Terminal states (completed, failed, cancelled) cannot transition to other states.`,
        )
      }
      await store.updateTaskStatus(taskId, status, statusMessage, sessionId)
      await notify(taskId)
    },
    listTasks: (cursor) => store.listTasks(cursor, sessionId),
  }
}

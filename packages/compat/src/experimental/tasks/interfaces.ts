/** The interfaces of task stores, task queues and tools that run as tasks. */

import type { AnySchema, ShapeOutput, ZodRawShapeCompat } from '../../server/zod-compat.ts'
import type { RequestHandlerExtra, RequestTaskStore } from '../../shared/protocol.ts'
import type {
  CallToolResult,
  CreateTaskResult,
  GetTaskResult,
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
  Request,
  RequestId,
  Result,
  ServerNotification,
  ServerRequest,
  Task,
  ToolExecution,
} from '../../types.ts'

/** The context of a call that creates a task. */
export interface CreateTaskRequestHandlerExtra extends RequestHandlerExtra<
  ServerRequest,
  ServerNotification
> {
  taskStore: RequestTaskStore
}

/** The context of a request for a task. */
export interface TaskRequestHandlerExtra extends RequestHandlerExtra<
  ServerRequest,
  ServerNotification
> {
  taskId: string
  taskStore: RequestTaskStore
}

export type BaseToolCallback<
  SendResultT extends Result,
  ExtraT extends RequestHandlerExtra<ServerRequest, ServerNotification>,
  Args extends undefined | ZodRawShapeCompat | AnySchema = undefined,
> = Args extends ZodRawShapeCompat
  ? (args: ShapeOutput<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
  : Args extends AnySchema
    ? (args: unknown, extra: ExtraT) => SendResultT | Promise<SendResultT>
    : (extra: ExtraT) => SendResultT | Promise<SendResultT>

export type CreateTaskRequestHandler<
  SendResultT extends Result,
  Args extends undefined | ZodRawShapeCompat | AnySchema = undefined,
> = BaseToolCallback<SendResultT, CreateTaskRequestHandlerExtra, Args>

export type TaskRequestHandler<
  SendResultT extends Result,
  Args extends undefined | ZodRawShapeCompat | AnySchema = undefined,
> = BaseToolCallback<SendResultT, TaskRequestHandlerExtra, Args>

/** A tool that runs as a task. */
export interface ToolTaskHandler<
  Args extends undefined | ZodRawShapeCompat | AnySchema = undefined,
> {
  createTask: CreateTaskRequestHandler<CreateTaskResult, Args>
  getTask: TaskRequestHandler<GetTaskResult, Args>
  getTaskResult: TaskRequestHandler<CallToolResult, Args>
}

export type TaskToolExecution<TaskSupport = ToolExecution['taskSupport']> = Omit<
  ToolExecution,
  'taskSupport'
> & {
  taskSupport: TaskSupport extends 'forbidden' | undefined ? never : TaskSupport
}

/** A message that waits until the other side asks for the result of a task. */
export type QueuedMessage = QueuedRequest | QueuedNotification | QueuedResponse | QueuedError
export interface BaseQueuedMessage {
  type: string
  /** Milliseconds since 1970. */
  timestamp: number
}
export interface QueuedRequest extends BaseQueuedMessage {
  type: 'request'
  message: JSONRPCRequest
}
export interface QueuedNotification extends BaseQueuedMessage {
  type: 'notification'
  message: JSONRPCNotification
}
export interface QueuedResponse extends BaseQueuedMessage {
  type: 'response'
  message: JSONRPCResultResponse
}
export interface QueuedError extends BaseQueuedMessage {
  type: 'error'
  message: JSONRPCErrorResponse
}

/** Messages of tasks, first in, first out. */
export interface TaskMessageQueue {
  /** Throws if the queue has `maxSize` messages. */
  enqueue(
    taskId: string,
    message: QueuedMessage,
    sessionId?: string,
    maxSize?: number,
  ): Promise<void>
  dequeue(taskId: string, sessionId?: string): Promise<QueuedMessage | undefined>
  dequeueAll(taskId: string, sessionId?: string): Promise<QueuedMessage[]>
}

export interface CreateTaskOptions {
  /** Milliseconds that the task is kept; `null` for ever. */
  ttl?: number | null
  /** Milliseconds between two questions for its state. */
  pollInterval?: number
  context?: Record<string, unknown>
}

/** Keeps tasks and their results. */
export interface TaskStore {
  createTask(
    taskParams: CreateTaskOptions,
    requestId: RequestId,
    request: Request,
    sessionId?: string,
  ): Promise<Task>
  getTask(taskId: string, sessionId?: string): Promise<Task | null>
  storeTaskResult(
    taskId: string,
    status: 'completed' | 'failed',
    result: Result,
    sessionId?: string,
  ): Promise<void>
  getTaskResult(taskId: string, sessionId?: string): Promise<Result>
  updateTaskStatus(
    taskId: string,
    status: Task['status'],
    statusMessage?: string,
    sessionId?: string,
  ): Promise<void>
  listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }>
}

/** Says whether a task in this state stays in it. */
export function isTerminal(status: Task['status']): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

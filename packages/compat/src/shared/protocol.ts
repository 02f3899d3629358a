/**
 * `@modelcontextprotocol/sdk/shared/protocol.js`: requests, responses and notifications over any transport.
 *
 * Works at the level of messages: programs wrap transports, replace handlers and subclass this class. Messages that a predicate accepts
 * are used as they are; the others go through the Zod schema, which words the error. Tasks are in `task-side.ts`. `Server` and `Client`
 * extend it.
 *
 * The names of private members are the official ones where published programs use them.
 */

import { ErrorCode, McpError } from '../errors.ts'
import type {
  CreateTaskOptions,
  QueuedMessage,
  TaskMessageQueue,
  TaskStore,
} from '../experimental/tasks/interfaces.ts'
import { isTerminal } from '../experimental/tasks/interfaces.ts'
import { kindOfMessage } from '../fast/messages.ts'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isTaskAugmentedRequestParams,
} from '../guards.ts'
import {
  CancelledNotificationSchema,
  PingRequestSchema,
  ProgressNotificationSchema,
  RELATED_TASK_META_KEY,
} from '../schemas/base.ts'
import { supportedSchema } from '../schemas/lazy.ts'
import {
  CancelTaskResultSchema,
  GetTaskResultSchema,
  ListTasksResultSchema,
} from '../schemas/tasks.ts'
import type { AuthInfo } from '../server/auth/types.ts'
import {
  type AnyObjectSchema,
  type AnySchema,
  type SchemaOutput,
  safeParse,
} from '../server/zod-compat.ts'
import { getMethodLiteral, parseWithCompat } from '../server/zod-json-schema-compat.ts'
import type {
  CancelledNotification,
  ClientCapabilities,
  GetTaskPayloadRequest,
  GetTaskRequest,
  GetTaskResult,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  MessageExtraInfo,
  Notification,
  Progress,
  ProgressNotification,
  RelatedTaskMetadata,
  Request,
  RequestId,
  RequestInfo,
  RequestMeta,
  Result,
  ServerCapabilities,
  Task,
  TaskCreationParams,
} from '../types.ts'
import type { ResponseMessage } from './responseMessage.ts'
import { respondToTaskRequests, createRequestTaskStore, streamRequest } from './task-side.ts'
import type { Transport, TransportSendOptions } from './transport.ts'

/** Is called for each progress notification of a request. */
export type ProgressCallback = (progress: Progress) => void

/** Options of both sides. */
export type ProtocolOptions = {
  /**
   * Throws for requests the other side has not said it handles.
   * @defaultValue false
   */
  enforceStrictCapabilities?: boolean
  /** Methods of notifications of which one a turn is enough, such as `notifications/tools/list_changed`. */
  debouncedNotificationMethods?: string[]
  /** Keeps tasks; with one, this side answers requests for tasks. */
  taskStore?: TaskStore
  /** Keeps messages of tasks until the other side asks for the result. */
  taskMessageQueue?: TaskMessageQueue
  /** Milliseconds between two looks at a task that names no interval. */
  defaultTaskPollInterval?: number
  /** Messages that a queue of a task holds at most. Unbounded without it. */
  maxTaskQueueSize?: number
}

/** Milliseconds after which a request fails. */
export const DEFAULT_REQUEST_TIMEOUT_MSEC = 60_000

/** Options of one request. */
export type RequestOptions = {
  /** Asks for progress, and is called with it. */
  onprogress?: ProgressCallback
  /** Cancels the request. */
  signal?: AbortSignal
  /**
   * Milliseconds after which the request fails with `RequestTimeout`.
   * @defaultValue 60000
   */
  timeout?: number
  /**
   * Starts the timeout again with each progress notification.
   * @defaultValue false
   */
  resetTimeoutOnProgress?: boolean
  /** Milliseconds after which the request fails whatever the progress is. */
  maxTotalTimeout?: number
  /** Lets the request run as a task. */
  task?: TaskCreationParams
  /** The task that this request belongs to. */
  relatedTask?: RelatedTaskMetadata
} & TransportSendOptions

/** Options of one notification. */
export type NotificationOptions = {
  /** The received request that it belongs to. */
  relatedRequestId?: RequestId
  /** The task that it belongs to. */
  relatedTask?: RelatedTaskMetadata
}

export type TaskRequestOptions = Omit<RequestOptions, 'relatedTask'>

/** The task store as a handler sees it: bound to its request and session. */
export interface RequestTaskStore {
  createTask(taskParams: CreateTaskOptions): Promise<Task>
  /** Throws if there is no such task. */
  getTask(taskId: string): Promise<Task>
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: Result): Promise<void>
  getTaskResult(taskId: string): Promise<Result>
  updateTaskStatus(taskId: string, status: Task['status'], statusMessage?: string): Promise<void>
  listTasks(cursor?: string): Promise<{ tasks: Task[]; nextCursor?: string }>
}

/** The context of a request handler. */
export type RequestHandlerExtra<
  SendRequestT extends Request,
  SendNotificationT extends Notification,
> = {
  /** Aborts when the other side cancels the request, or the connection is closed. */
  signal: AbortSignal
  authInfo?: AuthInfo
  sessionId?: string
  _meta?: RequestMeta
  requestId: RequestId
  taskId?: string
  taskStore?: RequestTaskStore
  taskRequestedTtl?: number
  /** The HTTP request it came with. */
  requestInfo?: RequestInfo
  /** Sends a notification that belongs to this request. */
  sendNotification: (notification: SendNotificationT) => Promise<void>
  /** Sends a request that belongs to this request. */
  sendRequest: <U extends AnySchema>(
    request: SendRequestT,
    resultSchema: U,
    options?: TaskRequestOptions,
  ) => Promise<SchemaOutput<U>>
  /** Closes the event stream of this request, so that the client comes back; needs an event store. */
  closeSSEStream?: () => void
  /** Closes the event stream of the session; needs an event store. */
  closeStandaloneSSEStream?: () => void
}

type AnyExtra = RequestHandlerExtra<never, never>
type StoredRequestHandler = (request: JSONRPCRequest, extra: AnyExtra) => Promise<Result>
type StoredNotificationHandler = (notification: JSONRPCNotification) => Promise<void>
type ResponseHandler = (response: JSONRPCResultResponse | Error) => void

interface TimeoutInfo {
  timeoutId: NodeJS.Timeout
  startTime: number
  timeout: number
  maxTotalTimeout?: number
  resetTimeoutOnProgress: boolean
  onTimeout: () => void
}

/** A request that can be cancelled; its signal is made only if somebody reads it. */
class LazyAbort {
  private controller: AbortController | undefined
  private reason: unknown
  isAborted = false

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController()
      if (this.isAborted) this.controller.abort(this.reason)
    }
    return this.controller.signal
  }

  abort(reason?: unknown): void {
    this.isAborted = true
    this.reason = reason
    this.controller?.abort(reason)
  }
}

const nextTurn = Promise.resolve()
const abortKey = Symbol('abort')

/**
 * The context of a request handler. Programs copy it with `{ ...extra }`, so all members are its own.
 *
 * All objects share one accessor for `signal`: one of its own for each costs as much as the rest of a call.
 */
class RequestContext {
  declare readonly [abortKey]: LazyAbort
  declare readonly signal: AbortSignal
  declare sessionId: AnyExtra['sessionId']
  declare _meta: AnyExtra['_meta']
  declare sendNotification: AnyExtra['sendNotification']
  declare sendRequest: AnyExtra['sendRequest']
  declare authInfo: AnyExtra['authInfo']
  declare requestId: AnyExtra['requestId']
  declare requestInfo: AnyExtra['requestInfo']
  declare taskId: AnyExtra['taskId']
  declare taskStore: AnyExtra['taskStore']
  declare taskRequestedTtl: AnyExtra['taskRequestedTtl']
  declare closeSSEStream: AnyExtra['closeSSEStream']
  declare closeStandaloneSSEStream: AnyExtra['closeStandaloneSSEStream']

  constructor(abort: LazyAbort) {
    Object.defineProperty(this, 'signal', signalOfAbort)
    this[abortKey] = abort
  }
}

const signalOfAbort: PropertyDescriptor & ThisType<RequestContext> = {
  get() {
    return this[abortKey].signal
  },
  set(value: unknown) {
    Object.defineProperty(this, 'signal', { value, writable: true })
  },
  enumerable: true,
  configurable: true,
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Requests, responses and notifications over a transport. */
export abstract class Protocol<
  SendRequestT extends Request,
  SendNotificationT extends Notification,
  SendResultT extends Result,
> {
  private _transport?: Transport
  private _requestMessageId = 0
  private _requestHandlers = new Map<string, StoredRequestHandler>()
  private _requestHandlerAbortControllers = new Map<RequestId, LazyAbort>()
  private _notificationHandlers = new Map<string, StoredNotificationHandler>()
  private _responseHandlers = new Map<number, ResponseHandler>()
  private _progressHandlers = new Map<number, ProgressCallback>()
  private _timeoutInfo = new Map<number, TimeoutInfo>()
  private _pendingDebouncedNotifications = new Set<string>()
  private _taskProgressTokens = new Map<string, number>()
  private _taskStore?: TaskStore
  private _taskMessageQueue?: TaskMessageQueue
  private _requestResolvers = new Map<
    RequestId,
    (response: JSONRPCResultResponse | Error) => void
  >()
  private _options?: ProtocolOptions

  /** Is called when the connection is closed, by `close` too. */
  onclose?: () => void
  /** Is called for errors that belong to no request. */
  onerror?: (error: Error) => void
  /** Answers requests that have no handler. */
  fallbackRequestHandler?: (
    request: JSONRPCRequest,
    extra: RequestHandlerExtra<SendRequestT, SendNotificationT>,
  ) => Promise<SendResultT>
  /** Receives notifications that have no handler. */
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>

  constructor(_options?: ProtocolOptions) {
    this._options = _options
    this.setNotificationHandler(CancelledNotificationSchema, (notification) =>
      this._oncancel(notification),
    )
    this.setNotificationHandler(ProgressNotificationSchema, (notification) =>
      this._onprogress(notification),
    )
    this.setRequestHandler(PingRequestSchema, () => ({}) as SendResultT)
    this._taskStore = _options?.taskStore
    this._taskMessageQueue = _options?.taskMessageQueue
    if (this._taskStore) respondToTaskRequests(this as never, this._taskStore)
  }

  private async _oncancel({ params }: CancelledNotification): Promise<void> {
    if (params.requestId === undefined) return
    this._requestHandlerAbortControllers.get(params.requestId)?.abort(params.reason)
  }

  private _setupTimeout(
    messageId: number,
    timeout: number,
    maxTotalTimeout: number | undefined,
    onTimeout: () => void,
    resetTimeoutOnProgress = false,
  ): void {
    this._timeoutInfo.set(messageId, {
      timeoutId: setTimeout(onTimeout, timeout),
      startTime: Date.now(),
      timeout,
      maxTotalTimeout,
      resetTimeoutOnProgress,
      onTimeout,
    })
  }

  private _resetTimeout(messageId: number): boolean {
    const info = this._timeoutInfo.get(messageId)
    if (!info) return false
    const totalElapsed = Date.now() - info.startTime
    if (info.maxTotalTimeout && totalElapsed >= info.maxTotalTimeout) {
      this._timeoutInfo.delete(messageId)
      throw McpError.fromError(ErrorCode.RequestTimeout, 'Maximum total timeout exceeded', {
        maxTotalTimeout: info.maxTotalTimeout,
        totalElapsed,
      })
    }
    clearTimeout(info.timeoutId)
    info.timeoutId = setTimeout(info.onTimeout, info.timeout)
    return true
  }

  private _cleanupTimeout(messageId: number): void {
    const info = this._timeoutInfo.get(messageId)
    if (!info) return
    clearTimeout(info.timeoutId)
    this._timeoutInfo.delete(messageId)
  }

  /** Starts a transport and receives its messages. Callbacks that it has already are called too, before ours. */
  async connect(transport: Transport): Promise<void> {
    if (this._transport) {
      throw new Error(
        'Already connected to a transport. Call close() before connecting to a new transport, or use a separate Protocol instance per connection.',
      )
    }
    this._transport = transport
    const { onclose, onerror, onmessage } = transport
    transport.onclose = () => {
      onclose?.call(transport)
      this._onclose()
    }
    transport.onerror = (error) => {
      onerror?.call(transport, error)
      this._onerror(error)
    }
    transport.onmessage = (message, extra) => {
      onmessage?.call(transport, message, extra)
      this._onmessage(message, extra)
    }
    await transport.start()
  }

  /** A message that the predicates are unsure of goes through the schemas. */
  private _onmessage(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    switch (kindOfMessage(message)) {
      case 'request':
        return this._onrequest(message as JSONRPCRequest, extra)
      case 'notification':
        return this._onnotification(message as JSONRPCNotification)
      case 'result':
      case 'error':
        return this._onresponse(message as JSONRPCResponse)
    }
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this._onresponse(message)
    } else if (isJSONRPCRequest(message)) this._onrequest(message, extra)
    else if (isJSONRPCNotification(message)) this._onnotification(message)
    else this._onerror(new Error(`Unknown message type: ${JSON.stringify(message)}`))
  }

  private _onclose(): void {
    const responseHandlers = this._responseHandlers
    this._responseHandlers = new Map()
    this._progressHandlers.clear()
    this._taskProgressTokens.clear()
    this._pendingDebouncedNotifications.clear()
    for (const { timeoutId } of this._timeoutInfo.values()) clearTimeout(timeoutId)
    this._timeoutInfo.clear()
    const running = this._requestHandlerAbortControllers
    this._requestHandlerAbortControllers = new Map()

    const error = McpError.fromError(ErrorCode.ConnectionClosed, 'Connection closed')
    this._transport = undefined
    try {
      this.onclose?.()
    } finally {
      for (const handler of responseHandlers.values()) handler(error)
      for (const controller of running.values()) controller.abort(error)
    }
  }

  private _onerror(error: Error): void {
    this.onerror?.(error)
  }

  private _onnotification(notification: JSONRPCNotification): void {
    if (notification.method === 'notifications/tasks/status') this._onTaskStatus(notification)
    const handler =
      this._notificationHandlers.get(notification.method) ?? this.fallbackNotificationHandler
    if (handler === undefined) return
    // At once: progress that is reported a turn later can come after the result, and is lost then.
    if (notification.method === 'notifications/progress') {
      void callSafely(() => handler(notification)).catch((error) => this._onHandlerError(error))
      return
    }
    Promise.resolve()
      .then(() => handler(notification))
      .catch((error) => this._onHandlerError(error))
  }

  /** A task that has ended makes no progress. */
  private _onTaskStatus({ params }: JSONRPCNotification): void {
    const { taskId, status } = (params ?? {}) as { taskId?: unknown; status?: Task['status'] }
    if (typeof taskId === 'string' && status && isTerminal(status)) {
      this._cleanupTaskProgressHandler(taskId)
    }
  }

  private _onHandlerError(error: unknown): void {
    this._onerror(new Error(`Uncaught error in notification handler: ${String(error)}`))
  }

  private _onrequest(request: JSONRPCRequest, extra?: MessageExtraInfo): void {
    const handler = (this._requestHandlers.get(request.method) ?? this.fallbackRequestHandler) as
      | StoredRequestHandler
      | undefined
    // The answer goes where the request came from, whatever is connected by then.
    const transport = this._transport
    const { params } = request
    const relatedTaskId = params?._meta?.[RELATED_TASK_META_KEY]?.taskId

    if (handler === undefined) {
      const answer: JSONRPCErrorResponse = {
        jsonrpc: '2.0',
        id: request.id,
        error: { code: ErrorCode.MethodNotFound, message: 'Method not found' },
      }
      this._refuse(transport, answer, relatedTaskId).catch((error) =>
        this._onerror(new Error(`Failed to send an error response: ${String(error)}`)),
      )
      return
    }

    const abort = new LazyAbort()
    this._requestHandlerAbortControllers.set(request.id, abort)
    const task =
      params !== undefined && 'task' in params && isTaskAugmentedRequestParams(params)
        ? params.task
        : undefined
    const context = this._contextOf(request, extra, abort, transport, relatedTaskId, task)
    void this._run(handler, request, context, transport, task)
  }

  /** Answers a request in a later turn, so that all that arrived with it is looked at first. */
  private async _run(
    handler: StoredRequestHandler,
    request: JSONRPCRequest,
    context: RequestContext,
    transport: Transport | undefined,
    task: TaskCreationParams | undefined,
  ): Promise<void> {
    const { id } = request
    const { [abortKey]: abort } = context
    let { taskId } = context
    let response: JSONRPCResultResponse | JSONRPCErrorResponse
    try {
      await nextTurn
      // Without a lookup there is no wait: the handler has to run before a response that came with the request.
      const lookup = taskId ? this._lookUp(taskId, transport?.sessionId) : undefined
      if (lookup && !(await lookup)) {
        const message = `Task not found: ${taskId}`
        taskId = undefined
        throw new McpError(ErrorCode.InvalidParams, message)
      }
      if (task) this.assertTaskHandlerCapability(request.method)
      response = { result: await handler(request, context), jsonrpc: '2.0', id }
    } catch (error) {
      response = errorResponse(id, error)
    }
    try {
      if (!abort.isAborted) await this._deliver(transport, response, taskId)
    } catch (error) {
      this._onerror(new Error(`Failed to send response: ${String(error)}`))
    } finally {
      // Another connection may have used the id since.
      if (this._requestHandlerAbortControllers.get(id) === abort) {
        this._requestHandlerAbortControllers.delete(id)
      }
    }
  }

  private _contextOf(
    request: JSONRPCRequest,
    extra: MessageExtraInfo | undefined,
    abort: LazyAbort,
    transport: Transport | undefined,
    relatedTaskId: string | undefined,
    task: TaskCreationParams | undefined,
  ): RequestContext {
    const sessionId = transport?.sessionId
    const taskStore = this._taskStore ? this.requestTaskStore(request, sessionId) : undefined
    const sendNotification = async (notification: SendNotificationT): Promise<void> => {
      if (abort.isAborted) return
      const options: NotificationOptions = { relatedRequestId: request.id }
      if (relatedTaskId) options.relatedTask = { taskId: relatedTaskId }
      await this.notification(notification, options)
    }
    const sendRequest = async <U extends AnySchema>(
      relatedRequest: SendRequestT,
      resultSchema: U,
      options?: TaskRequestOptions,
    ): Promise<SchemaOutput<U>> => {
      if (abort.isAborted) {
        throw new McpError(ErrorCode.ConnectionClosed, 'Request was cancelled')
      }
      const requestOptions: RequestOptions = { ...options, relatedRequestId: request.id }
      if (relatedTaskId && !requestOptions.relatedTask) {
        requestOptions.relatedTask = { taskId: relatedTaskId }
      }
      const taskId = requestOptions.relatedTask?.taskId ?? relatedTaskId
      if (taskId && taskStore) await taskStore.updateTaskStatus(taskId, 'input_required')
      return await this.request(relatedRequest, resultSchema, requestOptions)
    }
    const context = new RequestContext(abort)
    context.sessionId = sessionId
    context._meta = request.params?._meta
    context.sendNotification = sendNotification
    context.sendRequest = sendRequest
    context.authInfo = extra?.authInfo
    context.requestId = request.id
    context.requestInfo = extra?.requestInfo
    context.taskId = relatedTaskId
    context.taskStore = taskStore
    context.taskRequestedTtl = task?.ttl
    context.closeSSEStream = extra?.closeSSEStream
    context.closeStandaloneSSEStream = extra?.closeStandaloneSSEStream
    return context
  }

  /** Refuses a request. The queue of a task of another session gets nothing. */
  private async _refuse(
    transport: Transport | undefined,
    message: JSONRPCErrorResponse,
    relatedTaskId: string | undefined,
  ): Promise<void> {
    const lookup = relatedTaskId ? this._lookUp(relatedTaskId, transport?.sessionId) : undefined
    const isHidden = lookup !== undefined && !(await lookup)
    await this._deliver(transport, message, isHidden ? undefined : relatedTaskId)
  }

  /** Looks for a task whose queue is for one session; `undefined` if there is nothing to look for. */
  private _lookUp(taskId: string, sessionId: string | undefined): Promise<unknown> | undefined {
    if (!this._taskStore || !this._taskMessageQueue || sessionId === undefined) return undefined
    return this._taskStore.getTask(taskId, sessionId)
  }

  /** Responses of a task wait until the other side asks for its result. */
  private _deliver(
    transport: Transport | undefined,
    message: JSONRPCResultResponse | JSONRPCErrorResponse,
    relatedTaskId: string | undefined,
  ): Promise<void> | undefined {
    if (relatedTaskId && this._taskMessageQueue) {
      const timestamp = Date.now()
      const queued: QueuedMessage =
        'error' in message
          ? { type: 'error', message, timestamp }
          : { type: 'response', message, timestamp }
      return this._enqueueTaskMessage(relatedTaskId, queued, transport?.sessionId)
    }
    return transport?.send(message)
  }

  private _onprogress(notification: ProgressNotification): void {
    const { progressToken, ...params } = notification.params
    const messageId = Number(progressToken)
    const handler = this._progressHandlers.get(messageId)
    if (!handler) {
      this._onerror(
        new Error(
          `Received a progress notification for an unknown token: ${JSON.stringify(notification)}`,
        ),
      )
      return
    }
    const responseHandler = this._responseHandlers.get(messageId)
    const info = this._timeoutInfo.get(messageId)
    if (info?.resetTimeoutOnProgress && responseHandler) {
      try {
        this._resetTimeout(messageId)
      } catch (error) {
        this._responseHandlers.delete(messageId)
        this._progressHandlers.delete(messageId)
        this._cleanupTimeout(messageId)
        responseHandler(error as Error)
        return
      }
    }
    handler(params)
  }

  private _onresponse(response: JSONRPCResponse): void {
    const messageId = Number(response.id)
    const resolver = this._requestResolvers.get(messageId)
    if (resolver) {
      this._requestResolvers.delete(messageId)
      resolver(resultOrError(response))
      return
    }
    const handler = this._responseHandlers.get(messageId)
    if (handler === undefined) {
      this._onerror(
        new Error(`Received a response for an unknown message ID: ${JSON.stringify(response)}`),
      )
      return
    }
    this._responseHandlers.delete(messageId)
    this._cleanupTimeout(messageId)
    if (!this._rememberTask(messageId, response)) this._progressHandlers.delete(messageId)
    handler(resultOrError(response))
  }

  /** Progress of a task goes on after the response that created it. */
  private _rememberTask(messageId: number, response: JSONRPCResponse): boolean {
    if (!('result' in response)) return false
    const { task } = response.result as { task?: { taskId?: unknown } }
    if (!isPlainObject(task) || typeof task['taskId'] !== 'string') return false
    this._taskProgressTokens.set(task['taskId'], messageId)
    return true
  }

  get transport(): Transport | undefined {
    return this._transport
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    await this._transport?.close()
  }

  /** Throws if the other side does not handle requests with this method. */
  protected abstract assertCapabilityForMethod(method: SendRequestT['method']): void
  /** Throws if this side has not said that it sends such notifications. */
  protected abstract assertNotificationCapability(method: SendNotificationT['method']): void
  /** Throws if this side has not said that it handles such requests. */
  protected abstract assertRequestHandlerCapability(method: string): void
  /** Throws if the other side does not run such requests as tasks. */
  protected abstract assertTaskCapability(method: string): void
  /** Throws if this side does not run such requests as tasks. */
  protected abstract assertTaskHandlerCapability(method: string): void

  /** Sends a request and yields what happens to it; the last message is `result` or `error`. */
  protected async *requestStream<T extends AnySchema>(
    request: SendRequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T>>, void, void> {
    yield* streamRequest(this as never, request, resultSchema, options, this._options)
  }

  /** Sends a request and returns its result. */
  request<T extends AnySchema>(
    request: SendRequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    const { relatedRequestId, resumptionToken, onresumptiontoken, task, relatedTask } =
      options ?? {}
    return new Promise<SchemaOutput<T>>((resolve, reject) => {
      if (!this._transport) {
        reject(new Error('Not connected'))
        return
      }
      if (this._options?.enforceStrictCapabilities === true) {
        this.assertCapabilityForMethod(request.method)
        if (task) this.assertTaskCapability(request.method)
      }
      options?.signal?.throwIfAborted()

      const messageId = this._requestMessageId++
      const message = makeRequest(request, messageId, options)
      if (options?.onprogress) this._progressHandlers.set(messageId, options.onprogress)

      const cancel = (reason: unknown): void => {
        this._responseHandlers.delete(messageId)
        this._progressHandlers.delete(messageId)
        this._cleanupTimeout(messageId)
        this._transport
          ?.send(
            {
              jsonrpc: '2.0',
              method: 'notifications/cancelled',
              params: { requestId: messageId, reason: String(reason) },
            },
            { relatedRequestId, resumptionToken, onresumptiontoken },
          )
          .catch((error) =>
            this._onerror(new Error(`Failed to send cancellation: ${String(error)}`)),
          )
        reject(
          reason instanceof McpError
            ? reason
            : new McpError(ErrorCode.RequestTimeout, String(reason)),
        )
      }

      const onAbort = (): void => cancel(options?.signal?.reason)
      this._responseHandlers.set(messageId, (response) => {
        if (options?.signal?.aborted) return
        options?.signal?.removeEventListener('abort', onAbort)
        if (response instanceof Error) {
          reject(response)
          return
        }
        try {
          const parsed = safeParse(resultSchema, response.result)
          if (parsed.success) resolve(parsed.data)
          else reject(parsed.error)
        } catch (error) {
          reject(error)
        }
      })
      options?.signal?.addEventListener('abort', onAbort, { once: true })

      const timeout = options?.timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC
      this._setupTimeout(
        messageId,
        timeout,
        options?.maxTotalTimeout,
        () =>
          cancel(McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out', { timeout })),
        options?.resetTimeoutOnProgress ?? false,
      )

      const fail = (error: unknown): void => {
        options?.signal?.removeEventListener('abort', onAbort)
        this._responseHandlers.delete(messageId)
        this._progressHandlers.delete(messageId)
        this._cleanupTimeout(messageId)
        reject(error)
      }
      const relatedTaskId = relatedTask?.taskId
      if (relatedTaskId) {
        this._requestResolvers.set(messageId, (response) => {
          const handler = this._responseHandlers.get(messageId)
          if (handler) handler(response)
          else {
            this._onerror(
              new Error(`Response handler missing for side-channeled request ${messageId}`),
            )
          }
        })
        this._enqueueTaskMessage(relatedTaskId, {
          type: 'request',
          message,
          timestamp: Date.now(),
        }).catch(fail)
        return
      }
      this._transport
        .send(message, { relatedRequestId, resumptionToken, onresumptiontoken })
        .catch(fail)
    })
  }

  /** Returns the state of a task. */
  protected async getTask(
    params: GetTaskRequest['params'],
    options?: RequestOptions,
  ): Promise<GetTaskResult> {
    const request = { method: 'tasks/get', params } as unknown as SendRequestT
    return this.request(request, GetTaskResultSchema, options)
  }

  /** Waits for the result of a task. */
  protected async getTaskResult<T extends AnySchema>(
    params: GetTaskPayloadRequest['params'],
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    const request = { method: 'tasks/result', params } as unknown as SendRequestT
    return this.request(request, resultSchema, options)
  }

  /** Returns a page of tasks. */
  protected async listTasks(
    params?: { cursor?: string },
    options?: RequestOptions,
  ): Promise<SchemaOutput<typeof ListTasksResultSchema>> {
    const request = { method: 'tasks/list', params } as unknown as SendRequestT
    return this.request(request, ListTasksResultSchema, options)
  }

  /** Cancels a task. */
  protected async cancelTask(
    params: { taskId: string },
    options?: RequestOptions,
  ): Promise<SchemaOutput<typeof CancelTaskResultSchema>> {
    const request = { method: 'tasks/cancel', params } as unknown as SendRequestT
    return this.request(request, CancelTaskResultSchema, options)
  }

  /** Sends a notification. */
  async notification(
    notification: SendNotificationT,
    options?: NotificationOptions,
  ): Promise<void> {
    if (!this._transport) throw new Error('Not connected')
    this.assertNotificationCapability(notification.method)

    const relatedTaskId = options?.relatedTask?.taskId
    if (relatedTaskId) {
      const message = withRelatedTask(
        { ...notification, jsonrpc: '2.0' as const },
        { taskId: relatedTaskId },
      )
      await this._enqueueTaskMessage(relatedTaskId, {
        type: 'notification',
        message: message,
        timestamp: Date.now(),
      })
      return
    }

    const isDebounced =
      (this._options?.debouncedNotificationMethods ?? []).includes(notification.method) &&
      !notification.params &&
      options?.relatedRequestId === undefined
    if (!isDebounced) {
      const message = Object.assign({}, notification, { jsonrpc: '2.0' as const })
      await this._transport.send(message, options)
      return
    }
    if (this._pendingDebouncedNotifications.has(notification.method)) return
    this._pendingDebouncedNotifications.add(notification.method)
    void Promise.resolve().then(() => {
      this._pendingDebouncedNotifications.delete(notification.method)
      this._transport
        ?.send({ ...notification, jsonrpc: '2.0' }, options)
        .catch((error) => this._onerror(error as Error))
    })
  }

  /** Answers requests with the method of a schema; replaces the handler before. */
  setRequestHandler<T extends AnyObjectSchema>(
    requestSchema: T,
    handler: (
      request: SchemaOutput<T>,
      extra: RequestHandlerExtra<SendRequestT, SendNotificationT>,
    ) => SendResultT | Promise<SendResultT>,
  ): void {
    const method = getMethodLiteral(requestSchema)
    this.assertRequestHandlerCapability(method)
    this._requestHandlers.set(method, (request, extra) => {
      const parsed = parseMessage(requestSchema, request) as SchemaOutput<T>
      return Promise.resolve(handler(parsed, extra as never))
    })
  }

  /** Removes the handler of a method. */
  removeRequestHandler(method: string): void {
    this._requestHandlers.delete(method)
  }

  /** Throws if the method has a handler. */
  assertCanSetRequestHandler(method: string): void {
    if (this._requestHandlers.has(method)) {
      throw new Error(`A request handler for ${method} already exists, which would be overridden`)
    }
  }

  /** Receives notifications with the method of a schema; replaces the handler before. */
  setNotificationHandler<T extends AnyObjectSchema>(
    notificationSchema: T,
    handler: (notification: SchemaOutput<T>) => void | Promise<void>,
  ): void {
    const method = getMethodLiteral(notificationSchema)
    this._notificationHandlers.set(method, (notification) => {
      const parsed = parseMessage(notificationSchema, notification) as SchemaOutput<T>
      return Promise.resolve(handler(parsed))
    })
  }

  /** Removes the handler of a method. */
  removeNotificationHandler(method: string): void {
    this._notificationHandlers.delete(method)
  }

  private _cleanupTaskProgressHandler(taskId: string): void {
    const token = this._taskProgressTokens.get(taskId)
    if (token === undefined) return
    this._progressHandlers.delete(token)
    this._taskProgressTokens.delete(taskId)
  }

  private async _enqueueTaskMessage(
    taskId: string,
    message: QueuedMessage,
    sessionId?: string,
  ): Promise<void> {
    if (!this._taskStore || !this._taskMessageQueue) {
      throw new Error(
        'Cannot enqueue task message: taskStore and taskMessageQueue are not configured',
      )
    }
    await this._taskMessageQueue.enqueue(
      taskId,
      message,
      sessionId ?? this._transport?.sessionId,
      this._options?.maxTaskQueueSize,
    )
  }

  private async _clearTaskQueue(taskId: string, sessionId?: string): Promise<void> {
    const messages = (await this._taskMessageQueue?.dequeueAll(taskId, sessionId)) ?? []
    for (const { type, message } of messages) {
      if (type !== 'request') continue
      const { id } = message
      const resolver = this._requestResolvers.get(id)
      if (resolver) {
        resolver(new McpError(ErrorCode.InternalError, 'Task cancelled or completed'))
        this._requestResolvers.delete(id)
      } else {
        this._onerror(
          new Error(`Resolver missing for request ${String(id)} during task ${taskId} cleanup`),
        )
      }
    }
  }

  private async _waitForTaskUpdate(
    taskId: string,
    signal: AbortSignal,
    sessionId?: string,
  ): Promise<void> {
    let interval = this._options?.defaultTaskPollInterval ?? 1_000
    try {
      const task = await this._taskStore?.getTask(taskId, sessionId)
      if (task?.pollInterval) interval = task.pollInterval
    } catch {
      // The next look at the task will tell.
    }
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new McpError(ErrorCode.InvalidRequest, 'Request cancelled'))
        return
      }
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(new McpError(ErrorCode.InvalidRequest, 'Request cancelled'))
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }, interval)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  private requestTaskStore(request?: JSONRPCRequest, sessionId?: string): RequestTaskStore {
    if (!this._taskStore) throw new Error('No task store configured')
    return createRequestTaskStore(this._taskStore, {
      request,
      sessionId,
      notify: (notification) => this.notification(notification as unknown as SendNotificationT),
      onTerminal: (taskId) => this._cleanupTaskProgressHandler(taskId),
    })
  }
}

/** The schema sees `method` and `params` alone: it would leave the envelope out, and copying for that costs more than this. */
function parseMessage(
  schema: AnyObjectSchema,
  message: JSONRPCRequest | JSONRPCNotification,
): unknown {
  const accepts = supportedSchema(schema)?.accepts
  if (accepts) {
    const { method, params } = message
    const bare = params === undefined ? { method } : { method, params }
    if (accepts(bare)) return bare
  }
  return parseWithCompat(schema, message)
}

function makeRequest(
  request: Request,
  id: number,
  options: RequestOptions | undefined,
): JSONRPCRequest {
  // Not `{ ...request }`, which costs Node 20 more than the rest of a request.
  let message: JSONRPCRequest = Object.assign({}, request, { jsonrpc: '2.0' as const, id })
  if (options?.onprogress) {
    message.params = {
      ...request.params,
      _meta: { ...request.params?._meta, progressToken: id },
    }
  }
  if (options?.task) message.params = { ...message.params, task: options.task }
  if (options?.relatedTask) message = withRelatedTask(message, options.relatedTask)
  return message
}

function withRelatedTask<T extends { params?: Request['params'] }>(
  message: T,
  task: RelatedTaskMetadata,
): T {
  return {
    ...message,
    params: {
      ...message.params,
      _meta: { ...message.params?._meta, [RELATED_TASK_META_KEY]: task },
    },
  }
}

function errorResponse(id: RequestId, thrown: unknown): JSONRPCErrorResponse {
  const { code, message, data } = (thrown ?? {}) as {
    code?: unknown
    message?: string
    data?: unknown
  }
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: Number.isSafeInteger(code) ? (code as number) : ErrorCode.InternalError,
      message: message ?? 'Internal error',
      ...(data !== undefined && { data }),
    },
  }
}

function resultOrError(response: JSONRPCResponse): JSONRPCResultResponse | Error {
  if (!('error' in response)) return response
  const { code, message, data } = response.error
  return McpError.fromError(code, message, data)
}

/** Calls at once, and turns what is thrown into a rejection. */
function callSafely(call: () => Promise<void>): Promise<void> {
  try {
    return call()
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Merges capabilities; those of one group are put together. */
export function mergeCapabilities(
  base: ServerCapabilities,
  additional: Partial<ServerCapabilities>,
): ServerCapabilities
export function mergeCapabilities(
  base: ClientCapabilities,
  additional: Partial<ClientCapabilities>,
): ClientCapabilities
export function mergeCapabilities<T extends ServerCapabilities | ClientCapabilities>(
  base: T,
  additional: Partial<T>,
): T {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, added] of Object.entries(additional)) {
    if (added === undefined) continue
    const before = merged[key]
    merged[key] = isPlainObject(before) && isPlainObject(added) ? { ...before, ...added } : added
  }
  return merged as T
}

import { ElicitResultSchema } from '../../schemas/elicitation.ts'
import { CreateMessageResultSchema } from '../../schemas/sampling.ts'
import { GetTaskPayloadResultSchema } from '../../schemas/tasks.ts'
import type { Server } from '../../server/index.ts'
import { assertSampling } from '../../server/sampling.ts'
import type { AnySchema, SchemaOutput } from '../../server/zod-compat.ts'
import type { RequestOptions } from '../../shared/protocol.ts'
import type { ResponseMessage } from '../../shared/responseMessage.ts'
import type {
  CancelTaskResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  GetTaskResult,
  ListTasksResult,
  Notification,
  Request,
  Result,
  ServerRequest,
} from '../../types.ts'
import type { TaskPeer } from './client.ts'

/** Requests of a server that run as tasks of its client. */
export class ExperimentalServerTasks<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> {
  private readonly _server: Server<RequestT, NotificationT, ResultT>

  constructor(_server: Server<RequestT, NotificationT, ResultT>) {
    this._server = _server
  }

  /** Sends a request and yields what happens to it. */
  requestStream<T extends AnySchema>(
    request: ServerRequest | RequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T>>, void, void> {
    return this.peer.requestStream(request, resultSchema, options)
  }

  /** Asks the client's model. */
  createMessageStream(
    params: CreateMessageRequestParams,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<CreateMessageResult>, void, void> {
    assertSampling(params, this._server.getClientCapabilities())
    return this.requestStream(
      { method: 'sampling/createMessage', params },
      CreateMessageResultSchema,
      options,
    )
  }

  /** Asks the user. */
  elicitInputStream(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<ElicitResult>, void, void> {
    const elicitation = this._server.getClientCapabilities()?.elicitation
    const mode = params.mode ?? 'form'
    if (mode === 'url' && !elicitation?.url) {
      throw new Error('Client does not support url elicitation.')
    }
    if (mode === 'form' && !elicitation?.form) {
      throw new Error('Client does not support form elicitation.')
    }
    const request = {
      method: 'elicitation/create' as const,
      params: (mode === 'form' ? { ...params, mode: 'form' } : params) as
        | ElicitRequestFormParams
        | ElicitRequestURLParams,
    }
    return this.requestStream(request, ElicitResultSchema, options)
  }

  async getTask(taskId: string, options?: RequestOptions): Promise<GetTaskResult> {
    return this.peer.getTask({ taskId }, options)
  }

  async getTaskResult<T extends AnySchema>(
    taskId: string,
    resultSchema?: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    const schema = (resultSchema ?? GetTaskPayloadResultSchema) as T
    return this.peer.getTaskResult({ taskId }, schema, options)
  }

  async listTasks(cursor?: string, options?: RequestOptions): Promise<ListTasksResult> {
    return this.peer.listTasks(cursor ? { cursor } : undefined, options)
  }

  async cancelTask(taskId: string, options?: RequestOptions): Promise<CancelTaskResult> {
    return this.peer.cancelTask({ taskId }, options)
  }

  /** The members that are not public yet. */
  private get peer(): TaskPeer {
    return this._server as unknown as TaskPeer
  }
}

import { errorMessage } from '@parley/mcp/json'

import type { Client } from '../../client/index.ts'
import { ErrorCode, McpError } from '../../errors.ts'
import { GetTaskPayloadResultSchema } from '../../schemas/tasks.ts'
import { CallToolResultSchema } from '../../schemas/tools.ts'
import type { AnyObjectSchema, AnySchema, SchemaOutput } from '../../server/zod-compat.ts'
import type { RequestOptions } from '../../shared/protocol.ts'
import type { ResponseMessage } from '../../shared/responseMessage.ts'
import type {
  CallToolRequest,
  CallToolResult,
  CancelTaskResult,
  ClientRequest,
  CompatibilityCallToolResultSchema,
  GetTaskResult,
  ListTasksResult,
  Notification,
  Request,
  Result,
} from '../../types.ts'
import type { JsonSchemaValidator } from '../../validation/types.ts'

/** The methods of a protocol object that tasks use. */
export interface TaskPeer {
  requestStream<T extends AnySchema>(
    request: Request,
    schema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T>>, void, void>
  getTask(params: { taskId: string }, options?: RequestOptions): Promise<GetTaskResult>
  getTaskResult<T extends AnySchema>(
    params: { taskId: string },
    schema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>>
  listTasks(
    params: { cursor?: string } | undefined,
    options?: RequestOptions,
  ): Promise<ListTasksResult>
  cancelTask(params: { taskId: string }, options?: RequestOptions): Promise<CancelTaskResult>
}

interface ToolPeer extends TaskPeer {
  isToolTask(name: string): boolean
  getToolOutputValidator(name: string): JsonSchemaValidator<unknown> | undefined
}

/** Requests of a client that run as tasks of its server. */
export class ExperimentalClientTasks<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> {
  private readonly _client: Client<RequestT, NotificationT, ResultT>

  constructor(_client: Client<RequestT, NotificationT, ResultT>) {
    this._client = _client
  }

  /** Calls a tool, as a task where the tool is known to run as one. */
  async *callToolStream<
    T extends typeof CallToolResultSchema | typeof CompatibilityCallToolResultSchema,
  >(
    params: CallToolRequest['params'],
    resultSchema: T = CallToolResultSchema as T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T>>, void, void> {
    const { peer } = this
    const task = options?.task ?? (peer.isToolTask(params.name) ? {} : undefined)
    const stream = peer.requestStream({ method: 'tools/call', params }, resultSchema, {
      ...options,
      task,
    })
    const validator = peer.getToolOutputValidator(params.name)
    for await (const message of stream) {
      const error =
        message.type === 'result' && validator
          ? outputError(params.name, message.result as CallToolResult, validator)
          : undefined
      if (error) {
        yield { type: 'error', error }
        return
      }
      yield message
    }
  }

  async getTask(taskId: string, options?: RequestOptions): Promise<GetTaskResult> {
    return this.peer.getTask({ taskId }, options)
  }

  async getTaskResult<T extends AnyObjectSchema>(
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

  /** Sends a request and yields what happens to it. */
  requestStream<T extends AnyObjectSchema>(
    request: ClientRequest | RequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T>>, void, void> {
    return this.peer.requestStream(request, resultSchema, options)
  }

  /** The members that are not public yet. */
  private get peer(): ToolPeer {
    return this._client as unknown as ToolPeer
  }
}

/** Says why structured content does not fit the tool; `undefined` if it does. */
export function outputError(
  name: string,
  result: CallToolResult,
  validator: JsonSchemaValidator<unknown>,
): McpError | undefined {
  if (!result.structuredContent && !result.isError) {
    return new McpError(
      ErrorCode.InvalidRequest,
      `Tool ${name} has an output schema but did not return structured content`,
    )
  }
  if (!result.structuredContent) return undefined
  try {
    const checked = validator(result.structuredContent)
    if (checked.valid) return undefined
    return new McpError(
      ErrorCode.InvalidParams,
      `Structured content does not match the tool's output schema: ${checked.errorMessage}`,
    )
  } catch (error) {
    if (error instanceof McpError) return error
    const text = errorMessage(error)
    return new McpError(ErrorCode.InvalidParams, `Failed to validate structured content: ${text}`)
  }
}

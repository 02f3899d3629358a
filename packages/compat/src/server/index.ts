/**
 * `@modelcontextprotocol/sdk/server/index.js`: the low-level server, which most published servers are written with.
 *
 * Adds to `Protocol` what a server says of itself, the handshake, and the requests that a server sends to its client.
 */

import { errorMessage } from '@parley/mcp/json'

import { ErrorCode, McpError } from '../errors.ts'
import {
  assertClientRequestTaskCapability,
  assertToolsCallTaskCapability,
} from '../experimental/tasks/helpers.ts'
import { ExperimentalServerTasks } from '../experimental/tasks/server.ts'
import {
  EmptyResultSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../schemas/base.ts'
import { ElicitResultSchema } from '../schemas/elicitation.ts'
import { InitializeRequestSchema, InitializedNotificationSchema } from '../schemas/lifecycle.ts'
import {
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ListRootsResultSchema,
  LoggingLevelSchema,
  SetLevelRequestSchema,
} from '../schemas/sampling.ts'
import { CreateTaskResultSchema } from '../schemas/tasks.ts'
import { CallToolRequestSchema, CallToolResultSchema } from '../schemas/tools.ts'
import {
  type NotificationOptions,
  Protocol,
  type ProtocolOptions,
  type RequestHandlerExtra,
  type RequestOptions,
  mergeCapabilities,
} from '../shared/protocol.ts'
import type {
  CallToolRequest,
  ClientCapabilities,
  CreateMessageRequest,
  CreateMessageRequestParamsBase,
  CreateMessageRequestParamsWithTools,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  Implementation,
  InitializeRequest,
  InitializeResult,
  ListRootsRequest,
  LoggingLevel,
  LoggingMessageNotification,
  Notification,
  Request,
  ResourceUpdatedNotification,
  Result,
  ServerCapabilities,
  ServerNotification,
  ServerRequest,
  ServerResult,
} from '../types.ts'
import { AjvJsonSchemaValidator } from '../validation/ajv-provider.ts'
import type { JsonSchemaType, jsonSchemaValidator } from '../validation/types.ts'
import { assertSampling } from './sampling.ts'
import { type AnyObjectSchema, type AnySchema, type SchemaOutput, safeParse } from './zod-compat.ts'
import { getMethodLiteral } from './zod-json-schema-compat.ts'

export type ServerOptions = ProtocolOptions & {
  /** The capabilities that the server declares. */
  capabilities?: ServerCapabilities
  /** Says how to use the server. */
  instructions?: string
  /** Checks what users answer to elicitation. Parley's validator without it. */
  jsonSchemaValidator?: jsonSchemaValidator
}

const severities: LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/**
 * A server on any transport.
 *
 * @deprecated Use `McpServer`, unless you need what is below it.
 */
export class Server<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<
  ServerRequest | RequestT,
  ServerNotification | NotificationT,
  ServerResult | ResultT
> {
  private _serverInfo: Implementation
  private _clientCapabilities?: ClientCapabilities
  private _clientVersion?: Implementation
  private _capabilities: ServerCapabilities
  private _instructions?: string
  private _jsonSchemaValidator: jsonSchemaValidator
  private _experimental?: { tasks: ExperimentalServerTasks<RequestT, NotificationT, ResultT> }
  private _loggingLevels = new Map<string | undefined, LoggingLevel>()

  /** Is called when the client has said that it is initialized. */
  oninitialized?: () => void

  constructor(_serverInfo: Implementation, options?: ServerOptions) {
    super(options)
    this._serverInfo = _serverInfo
    this._capabilities = options?.capabilities ?? {}
    this._instructions = options?.instructions
    this._jsonSchemaValidator = options?.jsonSchemaValidator ?? new AjvJsonSchemaValidator()
    this.setRequestHandler(InitializeRequestSchema, (request) => this._oninitialize(request))
    this.setNotificationHandler(InitializedNotificationSchema, () => this.oninitialized?.())
    if (this._capabilities.logging) this._answerSetLevel()
  }

  private _answerSetLevel(): void {
    this.setRequestHandler(SetLevelRequestSchema, async ({ params }, extra) => {
      const header = extra.requestInfo?.headers['mcp-session-id'] as string | undefined
      const level = LoggingLevelSchema.safeParse(params.level)
      if (level.success) this._loggingLevels.set(extra.sessionId || header || undefined, level.data)
      return {}
    })
  }

  /** Features that may change without notice. */
  get experimental(): { tasks: ExperimentalServerTasks<RequestT, NotificationT, ResultT> } {
    this._experimental ??= { tasks: new ExperimentalServerTasks(this) }
    return this._experimental
  }

  private isMessageIgnored(level: LoggingLevel, sessionId?: string): boolean {
    const least = this._loggingLevels.get(sessionId)
    return least !== undefined && severities.indexOf(level) < severities.indexOf(least)
  }

  /** Adds capabilities; only before a transport is connected. */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this.transport) {
      throw new Error('Cannot register capabilities after connecting to transport')
    }
    const before = this._capabilities
    this._capabilities = mergeCapabilities(before, capabilities)
    if (!before.logging && this._capabilities.logging) this._answerSetLevel()
  }

  override setRequestHandler<T extends AnyObjectSchema>(
    requestSchema: T,
    handler: (
      request: SchemaOutput<T>,
      extra: RequestHandlerExtra<ServerRequest | RequestT, ServerNotification | NotificationT>,
    ) => ServerResult | ResultT | Promise<ServerResult | ResultT>,
  ): void {
    if (getMethodLiteral(requestSchema) !== 'tools/call') {
      super.setRequestHandler(requestSchema, handler)
      return
    }
    super.setRequestHandler(requestSchema, async (request, extra) => {
      // A request that came through this very schema is parsed.
      const { params }: CallToolRequest =
        (requestSchema as unknown) === CallToolRequestSchema
          ? request
          : parsed(CallToolRequestSchema, request, 'Invalid tools/call request')
      const result = await handler(request, extra)
      return params.task
        ? parsed(CreateTaskResultSchema, result, 'Invalid task creation result')
        : parsed(CallToolResultSchema, result, 'Invalid tools/call result')
    })
  }

  protected assertCapabilityForMethod(method: RequestT['method']): void {
    const capabilities = this._clientCapabilities
    switch (method as ServerRequest['method']) {
      case 'sampling/createMessage':
        return require(capabilities?.sampling, `Client does not support sampling`, method)
      case 'elicitation/create':
        return require(capabilities?.elicitation, `Client does not support elicitation`, method)
      case 'roots/list':
        return require(capabilities?.roots, `Client does not support listing roots`, method)
    }
  }

  protected assertNotificationCapability(
    method: (ServerNotification | NotificationT)['method'],
  ): void {
    const capabilities = this._capabilities
    switch (method as ServerNotification['method']) {
      case 'notifications/message':
        return require(capabilities.logging, 'Server does not support logging', method)
      case 'notifications/resources/updated':
      case 'notifications/resources/list_changed':
        return require(capabilities.resources, 'Server does not support notifying about resources', method)
      case 'notifications/tools/list_changed':
        return require(capabilities.tools, 'Server does not support notifying of tool list changes', method)
      case 'notifications/prompts/list_changed':
        return require(capabilities.prompts, 'Server does not support notifying of prompt list changes', method)
      case 'notifications/elicitation/complete':
        return require(this._clientCapabilities?.elicitation
          ?.url, 'Client does not support URL elicitation', method)
    }
  }

  protected assertRequestHandlerCapability(method: string): void {
    const capabilities = this._capabilities
    // The handlers of the base class are set before there are capabilities.
    if (!capabilities) return
    switch (method) {
      case 'completion/complete':
        return require(capabilities.completions, 'Server does not support completions', method)
      case 'logging/setLevel':
        return require(capabilities.logging, 'Server does not support logging', method)
      case 'prompts/get':
      case 'prompts/list':
        return require(capabilities.prompts, 'Server does not support prompts', method)
      case 'resources/list':
      case 'resources/templates/list':
      case 'resources/read':
        return require(capabilities.resources, 'Server does not support resources', method)
      case 'tools/call':
      case 'tools/list':
        return require(capabilities.tools, 'Server does not support tools', method)
      case 'tasks/get':
      case 'tasks/list':
      case 'tasks/result':
      case 'tasks/cancel':
        return require(capabilities.tasks, 'Server does not support tasks capability', method)
    }
  }

  protected assertTaskCapability(method: string): void {
    assertClientRequestTaskCapability(this._clientCapabilities?.tasks?.requests, method, 'Client')
  }

  protected assertTaskHandlerCapability(method: string): void {
    if (!this._capabilities) return
    assertToolsCallTaskCapability(this._capabilities.tasks?.requests, method, 'Server')
  }

  private async _oninitialize({ params }: InitializeRequest): Promise<InitializeResult> {
    this._clientCapabilities = params.capabilities
    this._clientVersion = params.clientInfo
    const protocolVersion = SUPPORTED_PROTOCOL_VERSIONS.includes(params.protocolVersion)
      ? params.protocolVersion
      : LATEST_PROTOCOL_VERSION
    return {
      protocolVersion,
      capabilities: this.getCapabilities(),
      serverInfo: this._serverInfo,
      ...(this._instructions && { instructions: this._instructions }),
    }
  }

  /** Returns the capabilities that the client declared; `undefined` before `initialize`. */
  getClientCapabilities(): ClientCapabilities | undefined {
    return this._clientCapabilities
  }

  /** The name and version of the client, once it said them. */
  getClientVersion(): Implementation | undefined {
    return this._clientVersion
  }

  private getCapabilities(): ServerCapabilities {
    return this._capabilities
  }

  async ping() {
    return this.request({ method: 'ping' }, EmptyResultSchema)
  }

  /** Asks the client's model; without tools it answers with one block. */
  async createMessage(
    params: CreateMessageRequestParamsBase,
    options?: RequestOptions,
  ): Promise<CreateMessageResult>
  async createMessage(
    params: CreateMessageRequestParamsWithTools,
    options?: RequestOptions,
  ): Promise<CreateMessageResultWithTools>
  async createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools>
  async createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    assertSampling(params, this._clientCapabilities)
    const request = { method: 'sampling/createMessage', params } as const
    return params.tools
      ? this.request(request, CreateMessageResultWithToolsSchema, options)
      : this.request(request, CreateMessageResultSchema, options)
  }

  /** Asks the user, by a form or at a URL. Answers to a form are checked with its schema. */
  async elicitInput(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): Promise<ElicitResult> {
    if (params.mode === 'url') {
      if (!this._clientCapabilities?.elicitation?.url) {
        throw new Error('Client does not support url elicitation.')
      }
      return this.request({ method: 'elicitation/create', params }, ElicitResultSchema, options)
    }
    if (!this._clientCapabilities?.elicitation?.form) {
      throw new Error('Client does not support form elicitation.')
    }
    const form: ElicitRequestFormParams =
      params.mode === 'form' ? params : { ...params, mode: 'form' }
    const result = await this.request(
      { method: 'elicitation/create', params: form },
      ElicitResultSchema,
      options,
    )
    if (result.action === 'accept' && result.content && form.requestedSchema) {
      this.assertAnswer(form.requestedSchema, result.content)
    }
    return result
  }

  private assertAnswer(schema: JsonSchemaType, content: unknown): void {
    try {
      const checked = this._jsonSchemaValidator.getValidator(schema)(content)
      if (checked.valid) return
      throw new McpError(
        ErrorCode.InvalidParams,
        `Elicitation response content does not match requested schema: ${checked.errorMessage}`,
      )
    } catch (error) {
      if (error instanceof McpError) throw error
      const text = errorMessage(error)
      throw new McpError(ErrorCode.InternalError, `Error validating elicitation response: ${text}`)
    }
  }

  /** Returns a function that tells the client that the user is done at the URL. */
  createElicitationCompletionNotifier(
    elicitationId: string,
    options?: NotificationOptions,
  ): () => Promise<void> {
    if (!this._clientCapabilities?.elicitation?.url) {
      throw new Error(
        'Client does not support URL elicitation (required for notifications/elicitation/complete)',
      )
    }
    return () =>
      this.notification(
        { method: 'notifications/elicitation/complete', params: { elicitationId } },
        options,
      )
  }

  async listRoots(params?: ListRootsRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'roots/list', params }, ListRootsResultSchema, options)
  }

  /** Sends a log message, unless the client of the session asked for more severe ones only. */
  async sendLoggingMessage(
    params: LoggingMessageNotification['params'],
    sessionId?: string,
  ): Promise<void> {
    if (!this._capabilities.logging || this.isMessageIgnored(params.level, sessionId)) return
    return this.notification({ method: 'notifications/message', params })
  }

  async sendResourceUpdated(params: ResourceUpdatedNotification['params']): Promise<void> {
    return this.notification({ method: 'notifications/resources/updated', params })
  }

  async sendResourceListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/resources/list_changed' })
  }

  async sendToolListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/tools/list_changed' })
  }

  async sendPromptListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/prompts/list_changed' })
  }
}

function require(capability: unknown, message: string, method: string): void {
  if (!capability) throw new Error(`${message} (required for ${method})`)
}

/** Returns the parsed value; throws `InvalidParams` with the words of the schema. */
function parsed<T extends AnySchema>(schema: T, value: unknown, message: string): SchemaOutput<T> {
  const result = safeParse(schema, value)
  if (result.success) return result.data
  const text = errorMessage(result.error)
  throw new McpError(ErrorCode.InvalidParams, `${message}: ${text}`)
}

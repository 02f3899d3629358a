/**
 * `@modelcontextprotocol/sdk/client/index.js`: the client on any transport.
 *
 * Adds to `Protocol` the handshake, a method for each request of a client, the check of what tools return, and lists that follow their
 * changes.
 */

import { errorMessage } from '@parley/mcp/json'

import { ErrorCode, McpError } from '../errors.ts'
import { ExperimentalClientTasks, outputError } from '../experimental/tasks/client.ts'
import {
  assertClientRequestTaskCapability,
  assertToolsCallTaskCapability,
} from '../experimental/tasks/helpers.ts'
import {
  EmptyResultSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../schemas/base.ts'
import { ElicitRequestSchema, ElicitResultSchema } from '../schemas/elicitation.ts'
import { InitializeResultSchema } from '../schemas/lifecycle.ts'
import {
  GetPromptResultSchema,
  ListPromptsResultSchema,
  PromptListChangedNotificationSchema,
} from '../schemas/prompts.ts'
import {
  ListResourceTemplatesResultSchema,
  ListResourcesResultSchema,
  ReadResourceResultSchema,
  ResourceListChangedNotificationSchema,
} from '../schemas/resources.ts'
import {
  CompleteResultSchema,
  CreateMessageRequestSchema,
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
} from '../schemas/sampling.ts'
import { CreateTaskResultSchema } from '../schemas/tasks.ts'
import {
  CallToolResultSchema,
  ListChangedOptionsBaseSchema,
  ListToolsResultSchema,
  ToolListChangedNotificationSchema,
} from '../schemas/tools.ts'
import {
  type AnyObjectSchema,
  type AnySchema,
  type SchemaOutput,
  safeParse,
} from '../server/zod-compat.ts'
import { getMethodLiteral } from '../server/zod-json-schema-compat.ts'
import {
  Protocol,
  type ProtocolOptions,
  type RequestHandlerExtra,
  type RequestOptions,
  mergeCapabilities,
} from '../shared/protocol.ts'
import type { Transport } from '../shared/transport.ts'
import type {
  CallToolRequest,
  CallToolResult,
  ClientCapabilities,
  ClientNotification,
  ClientRequest,
  ClientResult,
  CompatibilityCallToolResultSchema,
  CompleteRequest,
  ElicitRequest,
  GetPromptRequest,
  Implementation,
  ListChangedHandlers,
  ListChangedOptions,
  ListPromptsRequest,
  ListResourceTemplatesRequest,
  ListResourcesRequest,
  ListToolsRequest,
  LoggingLevel,
  Notification,
  ReadResourceRequest,
  Request,
  Result,
  ServerCapabilities,
  SubscribeRequest,
  Tool,
  UnsubscribeRequest,
} from '../types.ts'
import { AjvJsonSchemaValidator } from '../validation/ajv-provider.ts'
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '../validation/types.ts'

/** Says which kinds of elicitation a client offers; without a kind it is forms. */
export function getSupportedElicitationModes(capabilities: ClientCapabilities['elicitation']): {
  supportsFormMode: boolean
  supportsUrlMode: boolean
} {
  if (!capabilities) return { supportsFormMode: false, supportsUrlMode: false }
  const hasForm = capabilities.form !== undefined
  const hasUrl = capabilities.url !== undefined
  return { supportsFormMode: hasForm || !hasUrl, supportsUrlMode: hasUrl }
}

export type ClientOptions = ProtocolOptions & {
  /** The capabilities that the client declares. */
  capabilities?: ClientCapabilities
  /** Checks what tools return. Parley's validator without it. */
  jsonSchemaValidator?: jsonSchemaValidator
  /** Follows changes of lists. */
  listChanged?: ListChangedHandlers
}

/** A client on any transport. */
export class Client<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<
  ClientRequest | RequestT,
  ClientNotification | NotificationT,
  ClientResult | ResultT
> {
  private _clientInfo: Implementation
  private _serverCapabilities?: ServerCapabilities
  private _serverVersion?: Implementation
  private _capabilities: ClientCapabilities
  private _instructions?: string
  private _jsonSchemaValidator: jsonSchemaValidator
  private _cachedToolOutputValidators = new Map<string, JsonSchemaValidator<unknown>>()
  private _cachedKnownTaskTools = new Set<string>()
  private _cachedRequiredTaskTools = new Set<string>()
  private _experimental?: { tasks: ExperimentalClientTasks<RequestT, NotificationT, ResultT> }
  private _listChangedDebounceTimers = new Map<string, ReturnType<typeof setTimeout>>()
  private _pendingListChangedConfig?: ListChangedHandlers

  constructor(_clientInfo: Implementation, options?: ClientOptions) {
    super(options)
    this._clientInfo = _clientInfo
    this._capabilities = options?.capabilities ?? {}
    this._jsonSchemaValidator = options?.jsonSchemaValidator ?? new AjvJsonSchemaValidator()
    // Needs what the server says of itself.
    this._pendingListChangedConfig = options?.listChanged
  }

  private _setupListChangedHandlers({ tools, prompts, resources }: ListChangedHandlers): void {
    const capabilities = this._serverCapabilities
    if (tools && capabilities?.tools?.listChanged) {
      this._followList(
        'tools',
        ToolListChangedNotificationSchema,
        tools,
        async () => (await this.listTools()).tools,
      )
    }
    if (prompts && capabilities?.prompts?.listChanged) {
      this._followList(
        'prompts',
        PromptListChangedNotificationSchema,
        prompts,
        async () => (await this.listPrompts()).prompts,
      )
    }
    if (resources && capabilities?.resources?.listChanged) {
      this._followList(
        'resources',
        ResourceListChangedNotificationSchema,
        resources,
        async () => (await this.listResources()).resources,
      )
    }
  }

  private _followList<T>(
    name: string,
    schema: AnyObjectSchema,
    options: ListChangedOptions<T>,
    fetchItems: () => Promise<T[]>,
  ): void {
    const checked = ListChangedOptionsBaseSchema.safeParse(options)
    if (!checked.success) {
      throw new Error(`Invalid ${name} listChanged options: ${checked.error.message}`)
    }
    if (typeof options.onChanged !== 'function') {
      throw new Error(`Invalid ${name} listChanged options: onChanged must be a function`)
    }
    const { autoRefresh, debounceMs } = checked.data
    const { onChanged } = options
    const refresh = async (): Promise<void> => {
      if (!autoRefresh) {
        onChanged(null, null)
        return
      }
      let items: T[]
      try {
        items = await fetchItems()
      } catch (error) {
        onChanged(error instanceof Error ? error : new Error(String(error)), null)
        return
      }
      onChanged(null, items)
    }
    this.setNotificationHandler(schema, () => {
      if (!debounceMs) return refresh()
      clearTimeout(this._listChangedDebounceTimers.get(name))
      this._listChangedDebounceTimers.set(name, setTimeout(refresh, debounceMs))
      return undefined
    })
  }

  /** Features that may change without notice. */
  get experimental(): { tasks: ExperimentalClientTasks<RequestT, NotificationT, ResultT> } {
    this._experimental ??= { tasks: new ExperimentalClientTasks(this) }
    return this._experimental
  }

  /** Adds capabilities; only before a transport is connected. */
  registerCapabilities(capabilities: ClientCapabilities): void {
    if (this.transport) {
      throw new Error('Cannot register capabilities after connecting to transport')
    }
    this._capabilities = mergeCapabilities(this._capabilities, capabilities)
  }

  override setRequestHandler<T extends AnyObjectSchema>(
    requestSchema: T,
    handler: (
      request: SchemaOutput<T>,
      extra: RequestHandlerExtra<ClientRequest | RequestT, ClientNotification | NotificationT>,
    ) => ClientResult | ResultT | Promise<ClientResult | ResultT>,
  ): void {
    const method = getMethodLiteral(requestSchema)
    if (method === 'elicitation/create') {
      super.setRequestHandler(requestSchema, async (request, extra) => {
        const checked = parsed(ElicitRequestSchema, request, 'Invalid elicitation request')
        this._assertElicitationMode(checked)
        const result = await handler(request, extra)
        return this._checkElicitation(checked, result)
      })
      return
    }
    if (method === 'sampling/createMessage') {
      super.setRequestHandler(requestSchema, async (request, extra) => {
        const { params } = parsed(CreateMessageRequestSchema, request, 'Invalid sampling request')
        const result = await handler(request, extra)
        if (params.task) {
          return parsed(CreateTaskResultSchema, result, 'Invalid task creation result')
        }
        return params.tools || params.toolChoice
          ? parsed(CreateMessageResultWithToolsSchema, result, 'Invalid sampling result')
          : parsed(CreateMessageResultSchema, result, 'Invalid sampling result')
      })
      return
    }
    super.setRequestHandler(requestSchema, handler)
  }

  private _assertElicitationMode({ params }: ElicitRequest): void {
    const { supportsFormMode, supportsUrlMode } = getSupportedElicitationModes(
      this._capabilities.elicitation,
    )
    const mode = params.mode ?? 'form'
    if (mode === 'form' && !supportsFormMode) {
      throw new McpError(
        ErrorCode.InvalidParams,
        'Client does not support form-mode elicitation requests',
      )
    }
    if (mode === 'url' && !supportsUrlMode) {
      throw new McpError(
        ErrorCode.InvalidParams,
        'Client does not support URL-mode elicitation requests',
      )
    }
  }

  private _checkElicitation({ params }: ElicitRequest, result: Result): ClientResult | ResultT {
    if (params.task) {
      return parsed(CreateTaskResultSchema, result, 'Invalid task creation result')
    }
    const answer = parsed(ElicitResultSchema, result, 'Invalid elicitation result')
    const mayFill =
      (params.mode ?? 'form') === 'form' &&
      answer.action === 'accept' &&
      answer.content &&
      this._capabilities.elicitation?.form?.applyDefaults
    if (mayFill && 'requestedSchema' in params) {
      applyDefaults(params.requestedSchema, answer.content)
    }
    return answer
  }

  protected assertCapability(capability: keyof ServerCapabilities, method: string): void {
    if (!this._serverCapabilities?.[capability]) {
      throw new Error(`Server does not support ${capability} (required for ${method})`)
    }
  }

  /** Connects and initializes; a transport that has a session already is only connected. */
  override async connect(transport: Transport, options?: RequestOptions): Promise<void> {
    await super.connect(transport)
    if (transport.sessionId !== undefined) return
    try {
      const result = await this.request(
        {
          method: 'initialize',
          params: {
            protocolVersion: LATEST_PROTOCOL_VERSION,
            capabilities: this._capabilities,
            clientInfo: this._clientInfo,
          },
        },
        InitializeResultSchema,
        options,
      )
      if (result === undefined) {
        throw new Error(`Server sent invalid initialize result: ${String(result)}`)
      }
      if (!SUPPORTED_PROTOCOL_VERSIONS.includes(result.protocolVersion)) {
        throw new Error(`Server's protocol version is not supported: ${result.protocolVersion}`)
      }
      this._serverCapabilities = result.capabilities
      this._serverVersion = result.serverInfo
      transport.setProtocolVersion?.(result.protocolVersion)
      this._instructions = result.instructions
      await this.notification({ method: 'notifications/initialized' })
      if (this._pendingListChangedConfig) {
        this._setupListChangedHandlers(this._pendingListChangedConfig)
        this._pendingListChangedConfig = undefined
      }
    } catch (error) {
      void this.close()
      throw error
    }
  }

  /** Returns the capabilities that the server declared; `undefined` before the connection. */
  getServerCapabilities(): ServerCapabilities | undefined {
    return this._serverCapabilities
  }

  /** The name and version of the server, once connected. */
  getServerVersion(): Implementation | undefined {
    return this._serverVersion
  }

  /** How to use the server, if it says. */
  getInstructions(): string | undefined {
    return this._instructions
  }

  protected assertCapabilityForMethod(method: RequestT['method']): void {
    const capabilities = this._serverCapabilities
    switch (method as ClientRequest['method']) {
      case 'logging/setLevel':
        return require(capabilities?.logging, 'Server does not support logging', method)
      case 'prompts/get':
      case 'prompts/list':
        return require(capabilities?.prompts, 'Server does not support prompts', method)
      case 'resources/list':
      case 'resources/templates/list':
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        require(capabilities?.resources, 'Server does not support resources', method)
        if (method !== 'resources/subscribe') return
        return require(capabilities?.resources
          ?.subscribe, 'Server does not support resource subscriptions', method)
      case 'tools/call':
      case 'tools/list':
        return require(capabilities?.tools, 'Server does not support tools', method)
      case 'completion/complete':
        return require(capabilities?.completions, 'Server does not support completions', method)
    }
  }

  protected assertNotificationCapability(method: NotificationT['method']): void {
    if ((method as ClientNotification['method']) === 'notifications/roots/list_changed') {
      require(this._capabilities.roots
        ?.listChanged, 'Client does not support roots list changed notifications', method)
    }
  }

  protected assertRequestHandlerCapability(method: string): void {
    const capabilities = this._capabilities
    // The handlers of the base class are set before there are capabilities.
    if (!capabilities) return
    switch (method) {
      case 'sampling/createMessage':
        return require(capabilities.sampling, 'Client does not support sampling capability', method)
      case 'elicitation/create':
        return require(capabilities.elicitation, 'Client does not support elicitation capability', method)
      case 'roots/list':
        return require(capabilities.roots, 'Client does not support roots capability', method)
      case 'tasks/get':
      case 'tasks/list':
      case 'tasks/result':
      case 'tasks/cancel':
        return require(capabilities.tasks, 'Client does not support tasks capability', method)
    }
  }

  protected assertTaskCapability(method: string): void {
    assertToolsCallTaskCapability(this._serverCapabilities?.tasks?.requests, method, 'Server')
  }

  protected assertTaskHandlerCapability(method: string): void {
    if (!this._capabilities) return
    assertClientRequestTaskCapability(this._capabilities.tasks?.requests, method, 'Client')
  }

  async ping(options?: RequestOptions) {
    return this.request({ method: 'ping' }, EmptyResultSchema, options)
  }

  async complete(params: CompleteRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'completion/complete', params }, CompleteResultSchema, options)
  }

  async setLoggingLevel(level: LoggingLevel, options?: RequestOptions) {
    return this.request(
      { method: 'logging/setLevel', params: { level } },
      EmptyResultSchema,
      options,
    )
  }

  async getPrompt(params: GetPromptRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'prompts/get', params }, GetPromptResultSchema, options)
  }

  async listPrompts(params?: ListPromptsRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'prompts/list', params }, ListPromptsResultSchema, options)
  }

  async listResources(params?: ListResourcesRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'resources/list', params }, ListResourcesResultSchema, options)
  }

  async listResourceTemplates(
    params?: ListResourceTemplatesRequest['params'],
    options?: RequestOptions,
  ) {
    return this.request(
      { method: 'resources/templates/list', params },
      ListResourceTemplatesResultSchema,
      options,
    )
  }

  async readResource(params: ReadResourceRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'resources/read', params }, ReadResourceResultSchema, options)
  }

  async subscribeResource(params: SubscribeRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'resources/subscribe', params }, EmptyResultSchema, options)
  }

  async unsubscribeResource(params: UnsubscribeRequest['params'], options?: RequestOptions) {
    return this.request({ method: 'resources/unsubscribe', params }, EmptyResultSchema, options)
  }

  /** Calls a tool; what it returns is checked if `listTools` has shown its output schema. */
  async callTool(
    params: CallToolRequest['params'],
    resultSchema:
      | typeof CallToolResultSchema
      | typeof CompatibilityCallToolResultSchema = CallToolResultSchema,
    options?: RequestOptions,
  ) {
    if (this.isToolTaskRequired(params.name)) {
      throw new McpError(
        ErrorCode.InvalidRequest,
        `Tool "${params.name}" requires task-based execution. Use client.experimental.tasks.callToolStream() instead.`,
      )
    }
    const result = await this.request({ method: 'tools/call', params }, resultSchema, options)
    const validator = this.getToolOutputValidator(params.name)
    const error = validator && outputError(params.name, result as CallToolResult, validator)
    if (error) throw error
    return result
  }

  private isToolTask(name: string): boolean {
    return (
      this._serverCapabilities?.tasks?.requests?.tools?.call !== undefined &&
      this._cachedKnownTaskTools.has(name)
    )
  }

  private isToolTaskRequired(name: string): boolean {
    return this._cachedRequiredTaskTools.has(name)
  }

  private cacheToolMetadata(tools: Tool[]): void {
    this._cachedToolOutputValidators.clear()
    this._cachedKnownTaskTools.clear()
    this._cachedRequiredTaskTools.clear()
    for (const { name, outputSchema, execution } of tools) {
      if (outputSchema) {
        this._cachedToolOutputValidators.set(
          name,
          this._jsonSchemaValidator.getValidator(outputSchema),
        )
      }
      const support = execution?.taskSupport
      if (support === 'required' || support === 'optional') this._cachedKnownTaskTools.add(name)
      if (support === 'required') this._cachedRequiredTaskTools.add(name)
    }
  }

  private getToolOutputValidator(name: string): JsonSchemaValidator<unknown> | undefined {
    return this._cachedToolOutputValidators.get(name)
  }

  /** Returns a page of tools, and remembers their output schemas for `callTool`. */
  async listTools(params?: ListToolsRequest['params'], options?: RequestOptions) {
    const result = await this.request(
      { method: 'tools/list', params },
      ListToolsResultSchema,
      options,
    )
    this.cacheToolMetadata(result.tools)
    return result
  }

  async sendRootsListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/roots/list_changed' })
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

/** Fills in what the user left out, where the form says what it is then. */
function applyDefaults(schema: JsonSchemaType | boolean | undefined, data: unknown): void {
  if (!schema || typeof schema !== 'object' || typeof data !== 'object' || data === null) return
  if (schema.type === 'object' && schema.properties && typeof schema.properties === 'object') {
    const fields = data as Record<string, unknown>
    for (const [key, property] of Object.entries(schema.properties)) {
      if (fields[key] === undefined && typeof property === 'object' && 'default' in property) {
        fields[key] = property.default
      }
      if (fields[key] !== undefined) applyDefaults(property, fields[key])
    }
  }
  for (const option of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    applyDefaults(option, data)
  }
}

/**
 * `@modelcontextprotocol/sdk/server/mcp.js`: a server by its tools, resources and prompts.
 *
 * Registers handlers with a low-level `Server` when the first tool, resource or prompt is registered. The JSON Schema of a tool is made
 * once, and again after `update()`. Types are in `registered.ts`.
 */

import { errorMessage } from '@parley/mcp/json'

import { ErrorCode, McpError } from '../errors.ts'
import type {
  CreateTaskRequestHandlerExtra,
  ToolTaskHandler,
} from '../experimental/tasks/interfaces.ts'
import { ExperimentalMcpServerTasks } from '../experimental/tasks/mcp-server.ts'
import { assertCompleteRequestPrompt, assertCompleteRequestResourceTemplate } from '../guards.ts'
import { GetPromptRequestSchema, ListPromptsRequestSchema } from '../schemas/prompts.ts'
import {
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ReadResourceRequestSchema,
} from '../schemas/resources.ts'
import { CompleteRequestSchema } from '../schemas/sampling.ts'
import { CallToolRequestSchema, ListToolsRequestSchema } from '../schemas/tools.ts'
import type { RequestHandlerExtra } from '../shared/protocol.ts'
import { validateAndWarnToolName } from '../shared/toolNameValidation.ts'
import type { Transport } from '../shared/transport.ts'
import { UriTemplate } from '../shared/uriTemplate.ts'
import type {
  CallToolRequest,
  CallToolResult,
  CompleteRequestPrompt,
  CompleteRequestResourceTemplate,
  CompleteResult,
  CreateTaskResult,
  Implementation,
  LoggingMessageNotification,
  PromptArgument,
  ServerNotification,
  ServerRequest,
  Tool,
  ToolAnnotations,
  ToolExecution,
} from '../types.ts'
import { getCompleter, isCompletable } from './completable.ts'
import { Server, type ServerOptions } from './index.ts'
import type {
  AnyToolHandler,
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
  PromptArgsRawShape,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ResourceMetadata,
  ToolCallback,
} from './registered.ts'
import {
  type AnyObjectSchema,
  type AnySchema,
  type ZodRawShapeCompat,
  getObjectShape,
  getParseErrorMessage,
  getSchemaDescription,
  isSchemaOptional,
  normalizeObjectSchema,
  objectFromShape,
  safeParseAsync,
} from './zod-compat.ts'
import { toJsonSchemaCompat } from './zod-json-schema-compat.ts'

export type {
  AnyToolHandler,
  BaseToolCallback,
  CompleteResourceTemplateCallback,
  ListResourcesCallback,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredResourceTemplate,
  RegisteredTool,
  ResourceMetadata,
  ToolCallback,
} from './registered.ts'

export type McpServerOptions = ServerOptions & {
  /** The most array elements and object members that the arguments of a call may have together. No limit without it. */
  maxToolInputElements?: number
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>
type JsonSchema = Tool['inputSchema']

/** The JSON Schemas of a tool, as long as they are of these schemas. */
interface ToolSchemas {
  inputSchema: AnySchema | undefined
  outputSchema: AnySchema | undefined
  input: JsonSchema
  output: JsonSchema | undefined
}

const invalidParams = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message)

/** A server by its tools, resources and prompts; `server` is the low-level one below. */
export class McpServer {
  readonly server: Server
  private readonly _maxToolInputElements: number
  private _registeredResources: Record<string, RegisteredResource> = Object.create(null)
  private _registeredResourceTemplates: Record<string, RegisteredResourceTemplate> =
    Object.create(null)
  private _registeredTools: Record<string, RegisteredTool> = Object.create(null)
  private _registeredPrompts: Record<string, RegisteredPrompt> = Object.create(null)
  private _experimental?: { tasks: ExperimentalMcpServerTasks }
  private _toolHandlersInitialized = false
  private _completionHandlerInitialized = false
  private _resourceHandlersInitialized = false
  private _promptHandlersInitialized = false

  constructor(serverInfo: Implementation, options?: McpServerOptions) {
    const { maxToolInputElements = Infinity } = options ?? {}
    if (typeof maxToolInputElements !== 'number' || !(maxToolInputElements >= 1)) {
      throw new RangeError(
        `maxToolInputElements must be a number of at least 1, or Infinity, got ${String(maxToolInputElements)}`,
      )
    }
    this._maxToolInputElements = maxToolInputElements
    this.server = new Server(serverInfo, options)
    // Declared capabilities get their handlers now, so that what is registered after `connect` is found.
    const { tools, resources, prompts } = options?.capabilities ?? {}
    if (tools) this.setToolRequestHandlers()
    if (resources) this.setResourceRequestHandlers()
    if (prompts) this.setPromptRequestHandlers()
  }

  /** Features that may change without notice. */
  get experimental(): { tasks: ExperimentalMcpServerTasks } {
    this._experimental ??= { tasks: new ExperimentalMcpServerTasks(this) }
    return this._experimental
  }

  /** Connects the server to a transport. */
  async connect(transport: Transport): Promise<void> {
    return await this.server.connect(transport)
  }

  async close(): Promise<void> {
    await this.server.close()
  }

  private setToolRequestHandlers(): void {
    if (this._toolHandlersInitialized) return
    this._toolHandlersInitialized = true
    const { server } = this
    server.assertCanSetRequestHandler('tools/list')
    server.assertCanSetRequestHandler('tools/call')
    server.registerCapabilities({ tools: { listChanged: true } })

    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: Object.entries(this._registeredTools)
        .filter(([, { enabled }]) => enabled)
        .map(([name, tool]) => describeTool(name, tool)),
    }))

    server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
      try {
        return await this.callTool(request, extra)
      } catch (error) {
        // The client has to see this one as an error of the protocol.
        if (error instanceof McpError && error.code === ErrorCode.UrlElicitationRequired)
          throw error
        return this.createToolError(errorMessage(error))
      }
    })
  }

  private async callTool(
    request: CallToolRequest,
    extra: Extra,
  ): Promise<CallToolResult | CreateTaskResult> {
    const { name } = request.params
    const tool = this._registeredTools[name]
    if (!tool) throw invalidParams(`Tool ${name} not found`)
    if (!tool.enabled) throw invalidParams(`Tool ${name} disabled`)

    const isTaskRequest = Boolean(request.params.task)
    const taskSupport = tool.execution?.taskSupport
    const isTaskHandler = 'createTask' in tool.handler
    if ((taskSupport === 'required' || taskSupport === 'optional') && !isTaskHandler) {
      throw new McpError(
        ErrorCode.InternalError,
        `Tool ${name} has taskSupport '${taskSupport}' but was not registered with registerToolTask`,
      )
    }
    if (taskSupport === 'required' && !isTaskRequest) {
      throw new McpError(
        ErrorCode.MethodNotFound,
        `Tool ${name} requires task augmentation (taskSupport: 'required')`,
      )
    }
    if (taskSupport === 'optional' && !isTaskRequest && isTaskHandler) {
      return await this.handleAutomaticTaskPolling(tool, request, extra)
    }

    const args = await this.validateToolInput(tool, request.params.arguments, name)
    const result = await this.executeToolHandler(tool, args, extra)
    if (!isTaskRequest) await this.validateToolOutput(tool, result, name)
    return result
  }

  private createToolError(text: string): CallToolResult {
    return { content: [{ type: 'text', text }], isError: true }
  }

  private async validateToolInput(
    tool: RegisteredTool,
    args: unknown,
    name: string,
  ): Promise<unknown> {
    if (!tool.inputSchema) return undefined
    if (this._maxToolInputElements !== Infinity) {
      assertSize(args, this._maxToolInputElements, name)
    }
    const schema = normalizeObjectSchema(tool.inputSchema) ?? tool.inputSchema
    const parsed = await safeParseAsync(schema as AnySchema, args ?? {})
    if (parsed.success) return parsed.data
    throw invalidParams(
      `Input validation error: Invalid arguments for tool ${name}: ${getParseErrorMessage(parsed.error)}`,
    )
  }

  private async validateToolOutput(
    tool: RegisteredTool,
    result: CallToolResult | CreateTaskResult,
    name: string,
  ): Promise<void> {
    if (!tool.outputSchema || !('content' in result) || result.isError) return
    if (!result.structuredContent) {
      throw invalidParams(
        `Output validation error: Tool ${name} has an output schema but no structured content was provided`,
      )
    }
    const schema = normalizeObjectSchema(tool.outputSchema) ?? tool.outputSchema
    const parsed = await safeParseAsync(schema as AnySchema, result.structuredContent)
    if (parsed.success) return
    throw invalidParams(
      `Output validation error: Invalid structured content for tool ${name}: ${getParseErrorMessage(parsed.error)}`,
    )
  }

  private async executeToolHandler(
    tool: RegisteredTool,
    args: unknown,
    extra: Extra,
  ): Promise<CallToolResult | CreateTaskResult> {
    const { handler } = tool
    if ('createTask' in handler) {
      if (!extra.taskStore) throw new Error('No task store provided.')
      const taskExtra = { ...extra, taskStore: extra.taskStore }
      return tool.inputSchema
        ? await (handler as ToolTaskHandler<ZodRawShapeCompat>).createTask(args as never, taskExtra)
        : await (handler as ToolTaskHandler).createTask(taskExtra)
    }
    return tool.inputSchema
      ? await (handler as ToolCallback<ZodRawShapeCompat>)(args as never, extra)
      : await (handler as ToolCallback)(extra)
  }

  /** Creates a task and waits for it, for a client that asked for none. */
  private async handleAutomaticTaskPolling(
    tool: RegisteredTool,
    request: CallToolRequest,
    extra: Extra,
  ): Promise<CallToolResult> {
    const { taskStore } = extra
    if (!taskStore) throw new Error('No task store provided for task-capable tool.')
    const args = await this.validateToolInput(tool, request.params.arguments, request.params.name)
    const taskExtra: CreateTaskRequestHandlerExtra = { ...extra, taskStore }
    const { task: created } = (await this.executeToolHandler(
      tool,
      args,
      taskExtra,
    )) as CreateTaskResult
    const { taskId } = created
    const interval = created.pollInterval ?? 5_000
    let task = created
    while (task.status !== 'completed' && task.status !== 'failed' && task.status !== 'cancelled') {
      await new Promise((resolve) => setTimeout(resolve, interval))
      const updated = await taskStore.getTask(taskId)
      if (!updated) {
        throw new McpError(ErrorCode.InternalError, `Task ${taskId} not found during polling`)
      }
      task = updated
    }
    return (await taskStore.getTaskResult(taskId)) as CallToolResult
  }

  private setCompletionRequestHandler(): void {
    if (this._completionHandlerInitialized) return
    this._completionHandlerInitialized = true
    this.server.assertCanSetRequestHandler('completion/complete')
    this.server.registerCapabilities({ completions: {} })
    this.server.setRequestHandler(CompleteRequestSchema, async (request) => {
      switch (request.params.ref.type) {
        case 'ref/prompt':
          assertCompleteRequestPrompt(request)
          return this.handlePromptCompletion(request)
        case 'ref/resource':
          assertCompleteRequestResourceTemplate(request)
          return this.handleResourceCompletion(request)
        default:
          throw invalidParams(
            `Invalid completion reference: ${(request.params.ref as { type: string }).type}`,
          )
      }
    })
  }

  private async handlePromptCompletion({ params }: CompleteRequestPrompt): Promise<CompleteResult> {
    const { ref, argument, context } = params
    const prompt = this._registeredPrompts[ref.name]
    if (!prompt) throw invalidParams(`Prompt ${ref.name} not found`)
    if (!prompt.enabled) throw invalidParams(`Prompt ${ref.name} disabled`)
    const field = getObjectShape(prompt.argsSchema)?.[argument.name]
    if (!isCompletable(field)) return noCompletions
    const complete = getCompleter(field)
    return complete ? completions(await complete(argument.value, context)) : noCompletions
  }

  private async handleResourceCompletion({
    params,
  }: CompleteRequestResourceTemplate): Promise<CompleteResult> {
    const { ref, argument, context } = params
    const template = Object.values(this._registeredResourceTemplates).find(
      ({ resourceTemplate }) => resourceTemplate.uriTemplate.toString() === ref.uri,
    )
    if (!template) {
      // A fixed resource has nothing to complete.
      if (this._registeredResources[ref.uri]) return noCompletions
      throw invalidParams(`Resource template ${ref.uri} not found`)
    }
    const complete = template.resourceTemplate.completeCallback(argument.name)
    return complete ? completions(await complete(argument.value, context)) : noCompletions
  }

  private setResourceRequestHandlers(): void {
    if (this._resourceHandlersInitialized) return
    this._resourceHandlersInitialized = true
    const { server } = this
    server.assertCanSetRequestHandler('resources/list')
    server.assertCanSetRequestHandler('resources/templates/list')
    server.assertCanSetRequestHandler('resources/read')
    server.registerCapabilities({ resources: { listChanged: true } })

    server.setRequestHandler(ListResourcesRequestSchema, async (_request, extra) => {
      const resources = Object.entries(this._registeredResources)
        .filter(([, { enabled }]) => enabled)
        .map(([uri, { name, metadata }]) => ({ uri, name, ...metadata }))
      for (const template of Object.values(this._registeredResourceTemplates)) {
        const list = template.resourceTemplate.listCallback
        if (!list || !isEnabled(template)) continue
        const listed = await list(extra)
        for (const resource of listed.resources) {
          // The fields of the resource itself win.
          resources.push({ ...template.metadata, ...resource })
        }
      }
      return { resources }
    })

    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: Object.entries(this._registeredResourceTemplates)
        .filter(([, template]) => isEnabled(template))
        .map(([name, { resourceTemplate, metadata }]) => ({
          name,
          uriTemplate: resourceTemplate.uriTemplate.toString(),
          ...metadata,
        })),
    }))

    server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
      const uri = new URL(params.uri)
      const resource = this._registeredResources[uri.toString()]
      if (resource) {
        if (!resource.enabled) throw invalidParams(`Resource ${uri.toString()} disabled`)
        return resource.readCallback(uri, extra)
      }
      for (const template of Object.values(this._registeredResourceTemplates)) {
        const variables = template.resourceTemplate.uriTemplate.match(uri.toString())
        if (variables && isEnabled(template)) return template.readCallback(uri, variables, extra)
      }
      throw invalidParams(`Resource ${uri.toString()} not found`)
    })
  }

  private setPromptRequestHandlers(): void {
    if (this._promptHandlersInitialized) return
    this._promptHandlersInitialized = true
    const { server } = this
    server.assertCanSetRequestHandler('prompts/list')
    server.assertCanSetRequestHandler('prompts/get')
    server.registerCapabilities({ prompts: { listChanged: true } })

    server.setRequestHandler(ListPromptsRequestSchema, () => ({
      prompts: Object.entries(this._registeredPrompts)
        .filter(([, { enabled }]) => enabled)
        .map(([name, { title, description, argsSchema }]) => ({
          name,
          title,
          description,
          arguments: argsSchema ? promptArguments(argsSchema) : undefined,
        })),
    }))

    server.setRequestHandler(GetPromptRequestSchema, async ({ params }, extra) => {
      const { name } = params
      const prompt = this._registeredPrompts[name]
      if (!prompt) throw invalidParams(`Prompt ${name} not found`)
      if (!prompt.enabled) throw invalidParams(`Prompt ${name} disabled`)
      if (!prompt.argsSchema) return await (prompt.callback as PromptCallback)(extra)
      const schema = normalizeObjectSchema(prompt.argsSchema) ?? prompt.argsSchema
      const parsed = await safeParseAsync(schema as AnySchema, params.arguments ?? {})
      if (!parsed.success) {
        throw invalidParams(
          `Invalid arguments for prompt ${name}: ${getParseErrorMessage(parsed.error)}`,
        )
      }
      return await (prompt.callback as PromptCallback<PromptArgsRawShape>)(
        parsed.data as never,
        extra,
      )
    })
  }

  /** @deprecated Use `registerResource`. */
  resource(name: string, uri: string, readCallback: ReadResourceCallback): RegisteredResource
  resource(
    name: string,
    uri: string,
    metadata: ResourceMetadata,
    readCallback: ReadResourceCallback,
  ): RegisteredResource
  resource(
    name: string,
    template: ResourceTemplate,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate
  resource(
    name: string,
    template: ResourceTemplate,
    metadata: ResourceMetadata,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate
  resource(
    name: string,
    uriOrTemplate: string | ResourceTemplate,
    ...rest: unknown[]
  ): RegisteredResource | RegisteredResourceTemplate {
    const metadata = typeof rest[0] === 'object' ? (rest.shift() as ResourceMetadata) : undefined
    return this.addResource(name, undefined, uriOrTemplate, metadata, rest[0])
  }

  /** Registers a resource, or a template for many. */
  registerResource(
    name: string,
    uriOrTemplate: string,
    config: ResourceMetadata,
    readCallback: ReadResourceCallback,
  ): RegisteredResource
  registerResource(
    name: string,
    uriOrTemplate: ResourceTemplate,
    config: ResourceMetadata,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate
  registerResource(
    name: string,
    uriOrTemplate: string | ResourceTemplate,
    config: ResourceMetadata,
    readCallback: ReadResourceCallback | ReadResourceTemplateCallback,
  ): RegisteredResource | RegisteredResourceTemplate {
    return this.addResource(name, config.title, uriOrTemplate, config, readCallback)
  }

  private addResource(
    name: string,
    title: string | undefined,
    uriOrTemplate: string | ResourceTemplate,
    metadata: ResourceMetadata | undefined,
    readCallback: unknown,
  ): RegisteredResource | RegisteredResourceTemplate {
    let registered: RegisteredResource | RegisteredResourceTemplate
    if (typeof uriOrTemplate === 'string') {
      if (this._registeredResources[uriOrTemplate]) {
        throw new Error(`Resource ${uriOrTemplate} is already registered`)
      }
      registered = this._createRegisteredResource(
        name,
        title,
        uriOrTemplate,
        metadata,
        readCallback as ReadResourceCallback,
      )
    } else {
      if (this._registeredResourceTemplates[name]) {
        throw new Error(`Resource template ${name} is already registered`)
      }
      registered = this._createRegisteredResourceTemplate(
        name,
        title,
        uriOrTemplate,
        metadata,
        readCallback as ReadResourceTemplateCallback,
      )
    }
    this.setResourceRequestHandlers()
    this.sendResourceListChanged()
    return registered
  }

  private _createRegisteredResource(
    name: string,
    title: string | undefined,
    uri: string,
    metadata: ResourceMetadata | undefined,
    readCallback: ReadResourceCallback,
  ): RegisteredResource {
    const registered: RegisteredResource = {
      name,
      title,
      metadata,
      readCallback,
      enabled: true,
      disable: () => registered.update({ enabled: false }),
      enable: () => registered.update({ enabled: true }),
      remove: () => registered.update({ uri: null }),
      update: (updates) => {
        if (updates.uri !== undefined && updates.uri !== uri) {
          delete this._registeredResources[uri]
          if (updates.uri) {
            uri = updates.uri
            this._registeredResources[uri] = registered
          }
        }
        assign(registered, 'name', updates.name)
        assign(registered, 'title', updates.title)
        assign(registered, 'metadata', updates.metadata)
        assign(registered, 'readCallback', updates.callback)
        assign(registered, 'enabled', updates.enabled)
        this.sendResourceListChanged()
      },
    }
    this._registeredResources[uri] = registered
    return registered
  }

  private _createRegisteredResourceTemplate(
    name: string,
    title: string | undefined,
    template: ResourceTemplate,
    metadata: ResourceMetadata | undefined,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate {
    const registered: RegisteredResourceTemplate = {
      resourceTemplate: template,
      title,
      metadata,
      readCallback,
      enabled: true,
      disable: () => registered.update({ enabled: false }),
      enable: () => registered.update({ enabled: true }),
      remove: () => registered.update({ name: null }),
      update: (updates) => {
        name = rename(this._registeredResourceTemplates, name, updates.name, registered)
        assign(registered, 'title', updates.title)
        assign(registered, 'resourceTemplate', updates.template)
        assign(registered, 'metadata', updates.metadata)
        assign(registered, 'readCallback', updates.callback)
        assign(registered, 'enabled', updates.enabled)
        this.sendResourceListChanged()
      },
    }
    this._registeredResourceTemplates[name] = registered
    const { variableNames } = template.uriTemplate
    if (variableNames.some((variable) => template.completeCallback(variable))) {
      this.setCompletionRequestHandler()
    }
    return registered
  }

  private _createRegisteredPrompt(
    name: string,
    title: string | undefined,
    description: string | undefined,
    argsSchema: PromptArgsRawShape | undefined,
    callback: PromptCallback<PromptArgsRawShape | undefined>,
  ): RegisteredPrompt {
    const registered: RegisteredPrompt = {
      title,
      description,
      argsSchema: argsSchema === undefined ? undefined : objectFromShape(argsSchema),
      callback,
      enabled: true,
      disable: () => registered.update({ enabled: false }),
      enable: () => registered.update({ enabled: true }),
      remove: () => registered.update({ name: null }),
      update: (updates) => {
        name = rename(this._registeredPrompts, name, updates.name, registered)
        assign(registered, 'title', updates.title)
        assign(registered, 'description', updates.description)
        if (updates.argsSchema !== undefined) {
          registered.argsSchema = objectFromShape(updates.argsSchema)
        }
        assign(registered, 'callback', updates.callback as RegisteredPrompt['callback'] | undefined)
        assign(registered, 'enabled', updates.enabled)
        this.sendPromptListChanged()
      },
    }
    this._registeredPrompts[name] = registered
    if (argsSchema && Object.values(argsSchema).some((field) => isCompletable(unwrap(field)))) {
      this.setCompletionRequestHandler()
    }
    return registered
  }

  private _createRegisteredTool(
    name: string,
    title: string | undefined,
    description: string | undefined,
    inputSchema: ZodRawShapeCompat | AnySchema | undefined,
    outputSchema: ZodRawShapeCompat | AnySchema | undefined,
    annotations: ToolAnnotations | undefined,
    execution: ToolExecution | undefined,
    _meta: Record<string, unknown> | undefined,
    handler: AnyToolHandler<ZodRawShapeCompat | undefined>,
  ): RegisteredTool {
    validateAndWarnToolName(name)
    const registered: RegisteredTool = {
      title,
      description,
      inputSchema: toObjectSchema(inputSchema),
      outputSchema: toObjectSchema(outputSchema),
      annotations,
      execution,
      _meta,
      handler,
      enabled: true,
      disable: () => registered.update({ enabled: false }),
      enable: () => registered.update({ enabled: true }),
      remove: () => registered.update({ name: null }),
      update: (updates) => {
        if (typeof updates.name === 'string' && updates.name !== name) {
          validateAndWarnToolName(updates.name)
        }
        name = rename(this._registeredTools, name, updates.name, registered)
        assign(registered, 'title', updates.title)
        assign(registered, 'description', updates.description)
        if (updates.paramsSchema !== undefined) {
          registered.inputSchema = objectFromShape(updates.paramsSchema) as AnySchema
        }
        if (updates.outputSchema !== undefined) {
          registered.outputSchema = objectFromShape(updates.outputSchema) as AnySchema
        }
        assign(registered, 'handler', updates.callback as RegisteredTool['handler'] | undefined)
        assign(registered, 'annotations', updates.annotations)
        assign(registered, '_meta', updates._meta)
        assign(registered, 'enabled', updates.enabled)
        described.delete(registered)
        this.sendToolListChanged()
      },
    }
    this._registeredTools[name] = registered
    this.setToolRequestHandlers()
    this.sendToolListChanged()
    return registered
  }

  /** @deprecated Use `registerTool`. */
  tool(name: string, cb: ToolCallback): RegisteredTool
  tool(name: string, description: string, cb: ToolCallback): RegisteredTool
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchema: Args,
    annotations: ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    paramsSchema: Args,
    annotations: ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool
  tool(name: string, ...rest: unknown[]): RegisteredTool {
    if (this._registeredTools[name]) throw new Error(`Tool ${name} is already registered`)
    const description = typeof rest[0] === 'string' ? (rest.shift() as string) : undefined
    let inputSchema: ZodRawShapeCompat | undefined
    let annotations: ToolAnnotations | undefined
    if (rest.length > 1) {
      const [first] = rest
      if (isShape(first)) {
        inputSchema = rest.shift() as ZodRawShapeCompat
        if (rest.length > 1 && isAnnotations(rest[0])) annotations = rest.shift() as ToolAnnotations
      } else if (isAnnotations(first)) {
        if (!looksLikeAnnotations(first)) {
          throw new Error(
            `Tool ${name} expected a Zod schema or ToolAnnotations, but received an unrecognized object`,
          )
        }
        annotations = rest.shift() as ToolAnnotations
      }
    }
    const callback = rest[0] as ToolCallback<ZodRawShapeCompat | undefined>
    return this._createRegisteredTool(
      name,
      undefined,
      description,
      inputSchema,
      undefined,
      annotations,
      { taskSupport: 'forbidden' },
      undefined,
      callback,
    )
  }

  /** Registers a tool. */
  registerTool<
    OutputArgs extends ZodRawShapeCompat | AnySchema,
    InputArgs extends undefined | ZodRawShapeCompat | AnySchema = undefined,
  >(
    name: string,
    config: {
      title?: string
      description?: string
      inputSchema?: InputArgs
      outputSchema?: OutputArgs
      annotations?: ToolAnnotations
      _meta?: Record<string, unknown>
    },
    cb: ToolCallback<InputArgs>,
  ): RegisteredTool {
    if (this._registeredTools[name]) throw new Error(`Tool ${name} is already registered`)
    const { title, description, inputSchema, outputSchema, annotations, _meta } = config
    return this._createRegisteredTool(
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
      { taskSupport: 'forbidden' },
      _meta,
      cb as ToolCallback<ZodRawShapeCompat | undefined>,
    )
  }

  /** @deprecated Use `registerPrompt`. */
  prompt(name: string, cb: PromptCallback): RegisteredPrompt
  prompt(name: string, description: string, cb: PromptCallback): RegisteredPrompt
  prompt<Args extends PromptArgsRawShape>(
    name: string,
    argsSchema: Args,
    cb: PromptCallback<Args>,
  ): RegisteredPrompt
  prompt<Args extends PromptArgsRawShape>(
    name: string,
    description: string,
    argsSchema: Args,
    cb: PromptCallback<Args>,
  ): RegisteredPrompt
  prompt(name: string, ...rest: unknown[]): RegisteredPrompt {
    const description = typeof rest[0] === 'string' ? (rest.shift() as string) : undefined
    const argsSchema = rest.length > 1 ? (rest.shift() as PromptArgsRawShape) : undefined
    return this.addPrompt(name, undefined, description, argsSchema, rest[0] as PromptCallback)
  }

  /** Registers a prompt. */
  registerPrompt<Args extends PromptArgsRawShape>(
    name: string,
    config: { title?: string; description?: string; argsSchema?: Args },
    cb: PromptCallback<Args>,
  ): RegisteredPrompt {
    const { title, description, argsSchema } = config
    return this.addPrompt(name, title, description, argsSchema, cb as unknown as PromptCallback)
  }

  private addPrompt(
    name: string,
    title: string | undefined,
    description: string | undefined,
    argsSchema: PromptArgsRawShape | undefined,
    callback: PromptCallback,
  ): RegisteredPrompt {
    if (this._registeredPrompts[name]) throw new Error(`Prompt ${name} is already registered`)
    const registered = this._createRegisteredPrompt(name, title, description, argsSchema, callback)
    this.setPromptRequestHandlers()
    this.sendPromptListChanged()
    return registered
  }

  /** Says whether a transport is connected. */
  isConnected(): boolean {
    return this.server.transport !== undefined
  }

  async sendLoggingMessage(
    params: LoggingMessageNotification['params'],
    sessionId?: string,
  ): Promise<void> {
    return this.server.sendLoggingMessage(params, sessionId)
  }

  sendResourceListChanged(): void {
    if (this.isConnected()) void this.server.sendResourceListChanged()
  }

  sendToolListChanged(): void {
    if (this.isConnected()) void this.server.sendToolListChanged()
  }

  sendPromptListChanged(): void {
    if (this.isConnected()) void this.server.sendPromptListChanged()
  }
}

/** A URI template with what lists its resources and completes its variables. */
export class ResourceTemplate {
  private _callbacks: {
    list: ListResourcesCallback | undefined
    complete?: { [variable: string]: CompleteResourceTemplateCallback }
  }
  private _uriTemplate: UriTemplate

  constructor(
    uriTemplate: string | UriTemplate,
    _callbacks: {
      /** Lists the resources; `undefined` says on purpose that there is no list. */
      list: ListResourcesCallback | undefined
      complete?: { [variable: string]: CompleteResourceTemplateCallback }
    },
  ) {
    this._callbacks = _callbacks
    this._uriTemplate = typeof uriTemplate === 'string' ? new UriTemplate(uriTemplate) : uriTemplate
  }

  get uriTemplate(): UriTemplate {
    return this._uriTemplate
  }

  get listCallback(): ListResourcesCallback | undefined {
    return this._callbacks.list
  }

  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined {
    return this._callbacks.complete?.[variable]
  }
}

/** JSON Schemas that were made, until `update()`. A program may also replace the schema of a registered tool itself. */
const described = new WeakMap<RegisteredTool, ToolSchemas>()

function describeTool(name: string, tool: RegisteredTool): Tool {
  const { title, description, annotations, execution, _meta } = tool
  let schemas = described.get(tool)
  if (
    !schemas ||
    schemas.inputSchema !== tool.inputSchema ||
    schemas.outputSchema !== tool.outputSchema
  ) {
    const { inputSchema, outputSchema } = tool
    schemas = {
      inputSchema,
      outputSchema,
      input: jsonSchemaOf(inputSchema, 'input') ?? { type: 'object', properties: {} },
      output: jsonSchemaOf(outputSchema, 'output'),
    }
    described.set(tool, schemas)
  }
  const listed: Tool = {
    name,
    title,
    description,
    inputSchema: schemas.input,
    annotations,
    execution,
    _meta,
  }
  if (schemas.output) listed.outputSchema = schemas.output
  return listed
}

function jsonSchemaOf(
  schema: AnySchema | undefined,
  pipeStrategy: 'input' | 'output',
): JsonSchema | undefined {
  const object = normalizeObjectSchema(schema)
  if (!object) return undefined
  return toJsonSchemaCompat(object, { strictUnions: true, pipeStrategy }) as JsonSchema
}

function assertSize(args: unknown, limit: number, name: string): void {
  let count = 0
  const waiting: unknown[] = [args]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += members.length
    if (count > limit) {
      throw new Error(
        `MCP error -32602: Invalid arguments for tool ${name}: arguments contain more than the maximum of ${limit} elements`,
      )
    }
    for (const member of members) waiting.push(member)
  }
}

function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('_def' in value || '_zod' in value) return true
  const { parse, safeParse } = value as { parse?: unknown; safeParse?: unknown }
  return typeof parse === 'function' && typeof safeParse === 'function'
}

/** A shape may be empty; its fields are schemas. */
function isShape(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isSchema(value)) return false
  const fields = Object.values(value)
  return fields.length === 0 || fields.some(isSchema)
}

const isAnnotations = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isShape(value)

/** Annotations have plain values; an object in them is a JSON Schema by mistake. */
function looksLikeAnnotations(value: object): boolean {
  return (
    !isSchema(value) &&
    Object.values(value).every((field) => typeof field !== 'object' || field === null)
  )
}

function toObjectSchema(schema: ZodRawShapeCompat | AnySchema | undefined): AnySchema | undefined {
  if (!schema) return undefined
  if (isShape(schema)) return objectFromShape(schema as ZodRawShapeCompat) as AnySchema
  if (!isSchema(schema)) {
    throw new Error(
      'inputSchema must be a Zod schema or raw shape, received an unrecognized object',
    )
  }
  return schema as AnySchema
}

function promptArguments(schema: AnyObjectSchema): PromptArgument[] {
  return Object.entries(getObjectShape(schema) ?? {}).map(([name, field]) => ({
    name,
    description: getSchemaDescription(field),
    required: !isSchemaOptional(field),
  }))
}

/** Returns the schema inside `optional`. */
function unwrap(field: AnySchema): unknown {
  const { _def, _zod } = field as {
    _def?: { innerType?: unknown }
    _zod?: { def?: { type?: string; innerType?: unknown } }
  }
  return isSchemaOptional(field) ? (_zod?.def?.innerType ?? _def?.innerType ?? field) : field
}

/** The answer for an argument without completions. */
const noCompletions: CompleteResult = { completion: { values: [], hasMore: false } }

/** At most a hundred values go over the wire. */
function completions(values: readonly unknown[]): CompleteResult {
  return {
    completion: {
      values: values.slice(0, 100) as string[],
      total: values.length,
      hasMore: values.length > 100,
    },
  }
}

const isEnabled = ({ enabled }: { enabled: boolean }): boolean => enabled

function assign<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) target[key] = value
}

/** `null` removes; returns the name from now on. */
function rename<T>(
  registry: Record<string, T>,
  name: string,
  newName: string | null | undefined,
  entry: T,
): string {
  if (newName === undefined || newName === name) return name
  delete registry[name]
  if (!newName) return name
  registry[newName] = entry
  return newName
}

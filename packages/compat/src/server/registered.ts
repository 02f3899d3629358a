/** The types of what is registered with an `McpServer`. */

import type { ToolTaskHandler } from '../experimental/tasks/interfaces.ts'
import type { RequestHandlerExtra } from '../shared/protocol.ts'
import type { Variables } from '../shared/uriTemplate.ts'
import type {
  CallToolResult,
  GetPromptResult,
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  Result,
  ServerNotification,
  ServerRequest,
  ToolAnnotations,
  ToolExecution,
} from '../types.ts'
import type { ResourceTemplate } from './mcp.ts'
import type {
  AnyObjectSchema,
  AnySchema,
  SchemaOutput,
  ShapeOutput,
  ZodRawShapeCompat,
} from './zod-compat.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Completes a variable of a template. */
export type CompleteResourceTemplateCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>

export type BaseToolCallback<
  SendResultT extends Result,
  ExtraT extends RequestHandlerExtra<ServerRequest, ServerNotification>,
  Args extends undefined | ZodRawShapeCompat | AnySchema,
> = Args extends ZodRawShapeCompat
  ? (args: ShapeOutput<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
  : Args extends AnySchema
    ? (args: SchemaOutput<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
    : (extra: ExtraT) => SendResultT | Promise<SendResultT>

/** Is called with the parsed arguments, where the tool takes any, and the context. */
export type ToolCallback<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> =
  BaseToolCallback<CallToolResult, RequestHandlerExtra<ServerRequest, ServerNotification>, Args>

export type AnyToolHandler<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> =
  | ToolCallback<Args>
  | ToolTaskHandler<Args>

export type RegisteredTool = {
  title?: string
  description?: string
  inputSchema?: AnySchema
  outputSchema?: AnySchema
  annotations?: ToolAnnotations
  execution?: ToolExecution
  _meta?: Record<string, unknown>
  handler: AnyToolHandler<undefined | ZodRawShapeCompat>
  enabled: boolean
  enable(): void
  disable(): void
  update<InputArgs extends ZodRawShapeCompat, OutputArgs extends ZodRawShapeCompat>(updates: {
    name?: string | null
    title?: string
    description?: string
    paramsSchema?: InputArgs
    outputSchema?: OutputArgs
    annotations?: ToolAnnotations
    _meta?: Record<string, unknown>
    callback?: ToolCallback<InputArgs>
    enabled?: boolean
  }): void
  remove(): void
}

/** The description of a resource without its address and name. */
export type ResourceMetadata = Omit<Resource, 'uri' | 'name'>

export type ListResourcesCallback = (
  extra: Extra,
) => ListResourcesResult | Promise<ListResourcesResult>

export type ReadResourceCallback = (
  uri: URL,
  extra: Extra,
) => ReadResourceResult | Promise<ReadResourceResult>

export type RegisteredResource = {
  name: string
  title?: string
  metadata?: ResourceMetadata
  readCallback: ReadResourceCallback
  enabled: boolean
  enable(): void
  disable(): void
  update(updates: {
    name?: string
    title?: string
    uri?: string | null
    metadata?: ResourceMetadata
    callback?: ReadResourceCallback
    enabled?: boolean
  }): void
  remove(): void
}

export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  extra: Extra,
) => ReadResourceResult | Promise<ReadResourceResult>

export type RegisteredResourceTemplate = {
  resourceTemplate: ResourceTemplate
  title?: string
  metadata?: ResourceMetadata
  readCallback: ReadResourceTemplateCallback
  enabled: boolean
  enable(): void
  disable(): void
  update(updates: {
    name?: string | null
    title?: string
    template?: ResourceTemplate
    metadata?: ResourceMetadata
    callback?: ReadResourceTemplateCallback
    enabled?: boolean
  }): void
  remove(): void
}

export type PromptArgsRawShape = ZodRawShapeCompat

export type PromptCallback<Args extends undefined | PromptArgsRawShape = undefined> =
  Args extends PromptArgsRawShape
    ? (args: ShapeOutput<Args>, extra: Extra) => GetPromptResult | Promise<GetPromptResult>
    : (extra: Extra) => GetPromptResult | Promise<GetPromptResult>

export type RegisteredPrompt = {
  title?: string
  description?: string
  argsSchema?: AnyObjectSchema
  callback: PromptCallback<undefined | PromptArgsRawShape>
  enabled: boolean
  enable(): void
  disable(): void
  update<Args extends PromptArgsRawShape>(updates: {
    name?: string | null
    title?: string
    description?: string
    argsSchema?: Args
    callback?: PromptCallback<Args>
    enabled?: boolean
  }): void
  remove(): void
}

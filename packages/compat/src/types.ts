/**
 * `@modelcontextprotocol/sdk/types.js`: schemas, the types they give, guards and errors.
 *
 * The schemas are made in `schemas/` when they are first touched; this file only lists what is public.
 */

import type * as z from 'zod/v4'

import type {
  BaseRequestParamsSchema,
  CancelledNotificationParamsSchema,
  CancelledNotificationSchema,
  CursorSchema,
  EmptyResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResponseSchema,
  JSONRPCResultResponseSchema,
  NotificationSchema,
  NotificationsParamsSchema,
  PaginatedRequestParamsSchema,
  PaginatedRequestSchema,
  PaginatedResultSchema,
  PingRequestSchema,
  ProgressNotificationParamsSchema,
  ProgressNotificationSchema,
  ProgressSchema,
  ProgressTokenSchema,
  RelatedTaskMetadataSchema,
  RequestIdSchema,
  RequestMetaSchema,
  RequestSchema,
  ResultSchema,
  TaskAugmentedRequestParamsSchema,
  TaskCreationParamsSchema,
  TaskMetadataSchema,
} from './schemas/base.ts'
import type {
  AnnotationsSchema,
  AudioContentSchema,
  BlobResourceContentsSchema,
  ContentBlockSchema,
  EmbeddedResourceSchema,
  ImageContentSchema,
  ResourceContentsSchema,
  ResourceLinkSchema,
  ResourceSchema,
  RoleSchema,
  TextContentSchema,
  TextResourceContentsSchema,
  ToolResultContentSchema,
  ToolUseContentSchema,
} from './schemas/content.ts'
import type {
  BooleanSchemaSchema,
  ElicitRequestFormParamsSchema,
  ElicitRequestParamsSchema,
  ElicitRequestSchema,
  ElicitRequestURLParamsSchema,
  ElicitResultSchema,
  ElicitationCompleteNotificationParamsSchema,
  ElicitationCompleteNotificationSchema,
  EnumSchemaSchema,
  LegacyTitledEnumSchemaSchema,
  MultiSelectEnumSchemaSchema,
  NumberSchemaSchema,
  PrimitiveSchemaDefinitionSchema,
  SingleSelectEnumSchemaSchema,
  StringSchemaSchema,
  TitledMultiSelectEnumSchemaSchema,
  TitledSingleSelectEnumSchemaSchema,
  UntitledMultiSelectEnumSchemaSchema,
  UntitledSingleSelectEnumSchemaSchema,
} from './schemas/elicitation.ts'
import type {
  BaseMetadataSchema,
  ClientCapabilitiesSchema,
  IconSchema,
  IconsSchema,
  ImplementationSchema,
  InitializeRequestParamsSchema,
  InitializeRequestSchema,
  InitializeResultSchema,
  InitializedNotificationSchema,
  ServerCapabilitiesSchema,
} from './schemas/lifecycle.ts'
import type {
  GetPromptRequestParamsSchema,
  GetPromptRequestSchema,
  GetPromptResultSchema,
  ListPromptsRequestSchema,
  ListPromptsResultSchema,
  PromptArgumentSchema,
  PromptListChangedNotificationSchema,
  PromptMessageSchema,
  PromptSchema,
} from './schemas/prompts.ts'
import type {
  ListResourceTemplatesRequestSchema,
  ListResourceTemplatesResultSchema,
  ListResourcesRequestSchema,
  ListResourcesResultSchema,
  ReadResourceRequestParamsSchema,
  ReadResourceRequestSchema,
  ReadResourceResultSchema,
  ResourceListChangedNotificationSchema,
  ResourceRequestParamsSchema,
  ResourceTemplateSchema,
  ResourceUpdatedNotificationParamsSchema,
  ResourceUpdatedNotificationSchema,
  SubscribeRequestParamsSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestParamsSchema,
  UnsubscribeRequestSchema,
} from './schemas/resources.ts'
import type {
  CompleteRequestParamsSchema,
  CompleteRequestSchema,
  CompleteResultSchema,
  CreateMessageRequestParamsSchema,
  CreateMessageRequestSchema,
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ListRootsRequestSchema,
  ListRootsResultSchema,
  LoggingLevelSchema,
  LoggingMessageNotificationParamsSchema,
  LoggingMessageNotificationSchema,
  ModelHintSchema,
  ModelPreferencesSchema,
  PromptReferenceSchema,
  ResourceTemplateReferenceSchema,
  RootSchema,
  RootsListChangedNotificationSchema,
  SamplingContentSchema,
  SamplingMessageContentBlockSchema,
  SamplingMessageSchema,
  SetLevelRequestParamsSchema,
  SetLevelRequestSchema,
  ToolChoiceSchema,
} from './schemas/sampling.ts'
import type {
  CancelTaskRequestSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskPayloadRequestSchema,
  GetTaskPayloadResultSchema,
  GetTaskRequestSchema,
  GetTaskResultSchema,
  ListTasksRequestSchema,
  ListTasksResultSchema,
  TaskSchema,
  TaskStatusNotificationParamsSchema,
  TaskStatusNotificationSchema,
  TaskStatusSchema,
} from './schemas/tasks.ts'
import type {
  CallToolRequestParamsSchema,
  CallToolRequestSchema,
  CallToolResultSchema,
  CompatibilityCallToolResultSchema,
  ListToolsRequestSchema,
  ListToolsResultSchema,
  ToolAnnotationsSchema,
  ToolExecutionSchema,
  ToolListChangedNotificationSchema,
  ToolSchema,
} from './schemas/tools.ts'
import type {
  ClientNotificationSchema,
  ClientRequestSchema,
  ClientResultSchema,
  ServerNotificationSchema,
  ServerRequestSchema,
  ServerResultSchema,
} from './schemas/unions.ts'
import type { AuthInfo } from './server/auth/types.ts'

export {
  CancelledNotificationParamsSchema,
  CancelledNotificationSchema,
  CursorSchema,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  EmptyResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCErrorSchema,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResponseSchema,
  JSONRPCResultResponseSchema,
  JSONRPC_VERSION,
  LATEST_PROTOCOL_VERSION,
  NotificationSchema,
  PaginatedRequestParamsSchema,
  PaginatedRequestSchema,
  PaginatedResultSchema,
  PingRequestSchema,
  ProgressNotificationParamsSchema,
  ProgressNotificationSchema,
  ProgressSchema,
  ProgressTokenSchema,
  RELATED_TASK_META_KEY,
  RelatedTaskMetadataSchema,
  RequestIdSchema,
  RequestSchema,
  ResultSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  TaskAugmentedRequestParamsSchema,
  TaskCreationParamsSchema,
  TaskMetadataSchema,
} from './schemas/base.ts'
export {
  CancelTaskRequestSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskPayloadRequestSchema,
  GetTaskPayloadResultSchema,
  GetTaskRequestSchema,
  GetTaskResultSchema,
  ListTasksRequestSchema,
  ListTasksResultSchema,
  TaskSchema,
  TaskStatusNotificationParamsSchema,
  TaskStatusNotificationSchema,
  TaskStatusSchema,
} from './schemas/tasks.ts'
export {
  BaseMetadataSchema,
  ClientCapabilitiesSchema,
  ClientTasksCapabilitySchema,
  IconSchema,
  IconsSchema,
  ImplementationSchema,
  InitializeRequestParamsSchema,
  InitializeRequestSchema,
  InitializeResultSchema,
  InitializedNotificationSchema,
  ServerCapabilitiesSchema,
  ServerTasksCapabilitySchema,
} from './schemas/lifecycle.ts'
export {
  AnnotationsSchema,
  AudioContentSchema,
  BlobResourceContentsSchema,
  ContentBlockSchema,
  EmbeddedResourceSchema,
  ImageContentSchema,
  ResourceContentsSchema,
  ResourceLinkSchema,
  ResourceSchema,
  RoleSchema,
  TextContentSchema,
  TextResourceContentsSchema,
  ToolResultContentSchema,
  ToolUseContentSchema,
} from './schemas/content.ts'
export {
  ListResourceTemplatesRequestSchema,
  ListResourceTemplatesResultSchema,
  ListResourcesRequestSchema,
  ListResourcesResultSchema,
  ReadResourceRequestParamsSchema,
  ReadResourceRequestSchema,
  ReadResourceResultSchema,
  ResourceListChangedNotificationSchema,
  ResourceRequestParamsSchema,
  ResourceTemplateSchema,
  ResourceUpdatedNotificationParamsSchema,
  ResourceUpdatedNotificationSchema,
  SubscribeRequestParamsSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestParamsSchema,
  UnsubscribeRequestSchema,
} from './schemas/resources.ts'
export {
  GetPromptRequestParamsSchema,
  GetPromptRequestSchema,
  GetPromptResultSchema,
  ListPromptsRequestSchema,
  ListPromptsResultSchema,
  PromptArgumentSchema,
  PromptListChangedNotificationSchema,
  PromptMessageSchema,
  PromptSchema,
} from './schemas/prompts.ts'
export {
  CallToolRequestParamsSchema,
  CallToolRequestSchema,
  CallToolResultSchema,
  CompatibilityCallToolResultSchema,
  ListChangedOptionsBaseSchema,
  ListToolsRequestSchema,
  ListToolsResultSchema,
  ToolAnnotationsSchema,
  ToolExecutionSchema,
  ToolListChangedNotificationSchema,
  ToolSchema,
} from './schemas/tools.ts'
export {
  CompleteRequestParamsSchema,
  CompleteRequestSchema,
  CompleteResultSchema,
  CreateMessageRequestParamsSchema,
  CreateMessageRequestSchema,
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ListRootsRequestSchema,
  ListRootsResultSchema,
  LoggingLevelSchema,
  LoggingMessageNotificationParamsSchema,
  LoggingMessageNotificationSchema,
  ModelHintSchema,
  ModelPreferencesSchema,
  PromptReferenceSchema,
  ResourceReferenceSchema,
  ResourceTemplateReferenceSchema,
  RootSchema,
  RootsListChangedNotificationSchema,
  SamplingContentSchema,
  SamplingMessageContentBlockSchema,
  SamplingMessageSchema,
  SetLevelRequestParamsSchema,
  SetLevelRequestSchema,
  ToolChoiceSchema,
} from './schemas/sampling.ts'
export {
  BooleanSchemaSchema,
  ElicitRequestFormParamsSchema,
  ElicitRequestParamsSchema,
  ElicitRequestSchema,
  ElicitRequestURLParamsSchema,
  ElicitResultSchema,
  ElicitationCompleteNotificationParamsSchema,
  ElicitationCompleteNotificationSchema,
  EnumSchemaSchema,
  LegacyTitledEnumSchemaSchema,
  MultiSelectEnumSchemaSchema,
  NumberSchemaSchema,
  PrimitiveSchemaDefinitionSchema,
  SingleSelectEnumSchemaSchema,
  StringSchemaSchema,
  TitledMultiSelectEnumSchemaSchema,
  TitledSingleSelectEnumSchemaSchema,
  UntitledMultiSelectEnumSchemaSchema,
  UntitledSingleSelectEnumSchemaSchema,
} from './schemas/elicitation.ts'
export {
  ClientNotificationSchema,
  ClientRequestSchema,
  ClientResultSchema,
  ServerNotificationSchema,
  ServerRequestSchema,
  ServerResultSchema,
} from './schemas/unions.ts'
export { ErrorCode, McpError, UrlElicitationRequiredError } from './errors.ts'
export {
  assertCompleteRequestPrompt,
  assertCompleteRequestResourceTemplate,
  isInitializeRequest,
  isInitializedNotification,
  isJSONRPCError,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
  isTaskAugmentedRequestParams,
} from './guards.ts'

type Primitive = string | number | boolean | bigint | null | undefined
type Flatten<T> = T extends Primitive
  ? T
  : T extends Array<infer U>
    ? Array<Flatten<U>>
    : T extends Set<infer U>
      ? Set<Flatten<U>>
      : T extends Map<infer K, infer V>
        ? Map<Flatten<K>, Flatten<V>>
        : T extends object
          ? { [K in keyof T]: Flatten<T[K]> }
          : T
type Infer<Schema extends z.ZodTypeAny> = Flatten<z.infer<Schema>>
type ExpandRecursively<T> = T extends object
  ? T extends infer O
    ? { [K in keyof O]: ExpandRecursively<O[K]> }
    : never
  : T

/** Headers as Node and `fetch` have them. */
export type IsomorphicHeaders = Record<string, string | string[] | undefined>

/** The HTTP request that a message came with. */
export interface RequestInfo {
  headers: IsomorphicHeaders
  /** The whole URL. */
  url?: URL | undefined
}

/** Facts about a message that its transport knows. */
export interface MessageExtraInfo {
  requestInfo?: RequestInfo | undefined
  authInfo?: AuthInfo | undefined
  /** Closes the event stream of this request, so that the client comes back for the rest. */
  closeSSEStream?: (() => void) | undefined
  /** Closes the event stream of the session, so that the client comes back. */
  closeStandaloneSSEStream?: (() => void) | undefined
}

/** Is called when a list has changed. */
export type ListChangedCallback<T> = (error: Error | null, items: T[] | null) => void

/** The reaction to a changed list. */
export type ListChangedOptions<T> = {
  /**
   * Fetches the list again.
   * @defaultValue true
   */
  autoRefresh?: boolean
  /**
   * Milliseconds to wait for more changes; 0 waits for none.
   * @defaultValue 300
   */
  debounceMs?: number
  onChanged: ListChangedCallback<T>
}

/** One for each list; used if the server says that it tells of changes. */
export type ListChangedHandlers = {
  tools?: ListChangedOptions<Tool>
  prompts?: ListChangedOptions<Prompt>
  resources?: ListChangedOptions<Resource>
}

/** @deprecated Use `JSONRPCErrorResponse`. */
export type JSONRPCError = JSONRPCErrorResponse
/** @deprecated Use `ResourceTemplateReference`. */
export type ResourceReference = ResourceTemplateReference
/** Params of a sampling request without tools. */
export type CreateMessageRequestParamsBase = Omit<
  CreateMessageRequestParams,
  'tools' | 'toolChoice'
>
/** Params of a sampling request with tools. */
export interface CreateMessageRequestParamsWithTools extends CreateMessageRequestParams {
  tools: Tool[]
}
export type CompleteRequestResourceTemplate = ExpandRecursively<
  CompleteRequest & { params: CompleteRequestParams & { ref: ResourceTemplateReference } }
>
export type CompleteRequestPrompt = ExpandRecursively<
  CompleteRequest & { params: CompleteRequestParams & { ref: PromptReference } }
>

export type ProgressToken = Infer<typeof ProgressTokenSchema>
export type Cursor = Infer<typeof CursorSchema>
export type Request = Infer<typeof RequestSchema>
export type TaskAugmentedRequestParams = Infer<typeof TaskAugmentedRequestParamsSchema>
export type RequestMeta = Infer<typeof RequestMetaSchema>
export type Notification = Infer<typeof NotificationSchema>
export type Result = Infer<typeof ResultSchema>
export type RequestId = Infer<typeof RequestIdSchema>
export type JSONRPCRequest = Infer<typeof JSONRPCRequestSchema>
export type JSONRPCNotification = Infer<typeof JSONRPCNotificationSchema>
export type JSONRPCResponse = Infer<typeof JSONRPCResponseSchema>
export type JSONRPCErrorResponse = Infer<typeof JSONRPCErrorResponseSchema>
export type JSONRPCResultResponse = Infer<typeof JSONRPCResultResponseSchema>
export type JSONRPCMessage = Infer<typeof JSONRPCMessageSchema>
export type RequestParams = Infer<typeof BaseRequestParamsSchema>
export type NotificationParams = Infer<typeof NotificationsParamsSchema>
export type EmptyResult = Infer<typeof EmptyResultSchema>
export type CancelledNotificationParams = Infer<typeof CancelledNotificationParamsSchema>
export type CancelledNotification = Infer<typeof CancelledNotificationSchema>
export type Icon = Infer<typeof IconSchema>
export type Icons = Infer<typeof IconsSchema>
export type BaseMetadata = Infer<typeof BaseMetadataSchema>
export type Annotations = Infer<typeof AnnotationsSchema>
export type Role = Infer<typeof RoleSchema>
export type Implementation = Infer<typeof ImplementationSchema>
export type ClientCapabilities = Infer<typeof ClientCapabilitiesSchema>
export type InitializeRequestParams = Infer<typeof InitializeRequestParamsSchema>
export type InitializeRequest = Infer<typeof InitializeRequestSchema>
export type ServerCapabilities = Infer<typeof ServerCapabilitiesSchema>
export type InitializeResult = Infer<typeof InitializeResultSchema>
export type InitializedNotification = Infer<typeof InitializedNotificationSchema>
export type PingRequest = Infer<typeof PingRequestSchema>
export type Progress = Infer<typeof ProgressSchema>
export type ProgressNotificationParams = Infer<typeof ProgressNotificationParamsSchema>
export type ProgressNotification = Infer<typeof ProgressNotificationSchema>
export type Task = Infer<typeof TaskSchema>
export type TaskStatus = Infer<typeof TaskStatusSchema>
export type TaskCreationParams = Infer<typeof TaskCreationParamsSchema>
export type TaskMetadata = Infer<typeof TaskMetadataSchema>
export type RelatedTaskMetadata = Infer<typeof RelatedTaskMetadataSchema>
export type CreateTaskResult = Infer<typeof CreateTaskResultSchema>
export type TaskStatusNotificationParams = Infer<typeof TaskStatusNotificationParamsSchema>
export type TaskStatusNotification = Infer<typeof TaskStatusNotificationSchema>
export type GetTaskRequest = Infer<typeof GetTaskRequestSchema>
export type GetTaskResult = Infer<typeof GetTaskResultSchema>
export type GetTaskPayloadRequest = Infer<typeof GetTaskPayloadRequestSchema>
export type ListTasksRequest = Infer<typeof ListTasksRequestSchema>
export type ListTasksResult = Infer<typeof ListTasksResultSchema>
export type CancelTaskRequest = Infer<typeof CancelTaskRequestSchema>
export type CancelTaskResult = Infer<typeof CancelTaskResultSchema>
export type GetTaskPayloadResult = Infer<typeof GetTaskPayloadResultSchema>
export type PaginatedRequestParams = Infer<typeof PaginatedRequestParamsSchema>
export type PaginatedRequest = Infer<typeof PaginatedRequestSchema>
export type PaginatedResult = Infer<typeof PaginatedResultSchema>
export type ResourceContents = Infer<typeof ResourceContentsSchema>
export type TextResourceContents = Infer<typeof TextResourceContentsSchema>
export type BlobResourceContents = Infer<typeof BlobResourceContentsSchema>
export type Resource = Infer<typeof ResourceSchema>
export type ResourceTemplate = Infer<typeof ResourceTemplateSchema>
export type ListResourcesRequest = Infer<typeof ListResourcesRequestSchema>
export type ListResourcesResult = Infer<typeof ListResourcesResultSchema>
export type ListResourceTemplatesRequest = Infer<typeof ListResourceTemplatesRequestSchema>
export type ListResourceTemplatesResult = Infer<typeof ListResourceTemplatesResultSchema>
export type ResourceRequestParams = Infer<typeof ResourceRequestParamsSchema>
export type ReadResourceRequestParams = Infer<typeof ReadResourceRequestParamsSchema>
export type ReadResourceRequest = Infer<typeof ReadResourceRequestSchema>
export type ReadResourceResult = Infer<typeof ReadResourceResultSchema>
export type ResourceListChangedNotification = Infer<typeof ResourceListChangedNotificationSchema>
export type SubscribeRequestParams = Infer<typeof SubscribeRequestParamsSchema>
export type SubscribeRequest = Infer<typeof SubscribeRequestSchema>
export type UnsubscribeRequestParams = Infer<typeof UnsubscribeRequestParamsSchema>
export type UnsubscribeRequest = Infer<typeof UnsubscribeRequestSchema>
export type ResourceUpdatedNotificationParams = Infer<
  typeof ResourceUpdatedNotificationParamsSchema
>
export type ResourceUpdatedNotification = Infer<typeof ResourceUpdatedNotificationSchema>
export type PromptArgument = Infer<typeof PromptArgumentSchema>
export type Prompt = Infer<typeof PromptSchema>
export type ListPromptsRequest = Infer<typeof ListPromptsRequestSchema>
export type ListPromptsResult = Infer<typeof ListPromptsResultSchema>
export type GetPromptRequestParams = Infer<typeof GetPromptRequestParamsSchema>
export type GetPromptRequest = Infer<typeof GetPromptRequestSchema>
export type TextContent = Infer<typeof TextContentSchema>
export type ImageContent = Infer<typeof ImageContentSchema>
export type AudioContent = Infer<typeof AudioContentSchema>
export type ToolUseContent = Infer<typeof ToolUseContentSchema>
export type ToolResultContent = Infer<typeof ToolResultContentSchema>
export type EmbeddedResource = Infer<typeof EmbeddedResourceSchema>
export type ResourceLink = Infer<typeof ResourceLinkSchema>
export type ContentBlock = Infer<typeof ContentBlockSchema>
export type PromptMessage = Infer<typeof PromptMessageSchema>
export type GetPromptResult = Infer<typeof GetPromptResultSchema>
export type PromptListChangedNotification = Infer<typeof PromptListChangedNotificationSchema>
export type ToolAnnotations = Infer<typeof ToolAnnotationsSchema>
export type ToolExecution = Infer<typeof ToolExecutionSchema>
export type Tool = Infer<typeof ToolSchema>
export type ListToolsRequest = Infer<typeof ListToolsRequestSchema>
export type ListToolsResult = Infer<typeof ListToolsResultSchema>
export type CallToolRequestParams = Infer<typeof CallToolRequestParamsSchema>
export type CallToolResult = Infer<typeof CallToolResultSchema>
export type CompatibilityCallToolResult = Infer<typeof CompatibilityCallToolResultSchema>
export type CallToolRequest = Infer<typeof CallToolRequestSchema>
export type ToolListChangedNotification = Infer<typeof ToolListChangedNotificationSchema>
export type LoggingLevel = Infer<typeof LoggingLevelSchema>
export type SetLevelRequestParams = Infer<typeof SetLevelRequestParamsSchema>
export type SetLevelRequest = Infer<typeof SetLevelRequestSchema>
export type LoggingMessageNotificationParams = Infer<typeof LoggingMessageNotificationParamsSchema>
export type LoggingMessageNotification = Infer<typeof LoggingMessageNotificationSchema>
export type ToolChoice = Infer<typeof ToolChoiceSchema>
export type ModelHint = Infer<typeof ModelHintSchema>
export type ModelPreferences = Infer<typeof ModelPreferencesSchema>
export type SamplingContent = Infer<typeof SamplingContentSchema>
export type SamplingMessageContentBlock = Infer<typeof SamplingMessageContentBlockSchema>
export type SamplingMessage = Infer<typeof SamplingMessageSchema>
export type CreateMessageRequestParams = Infer<typeof CreateMessageRequestParamsSchema>
export type CreateMessageRequest = Infer<typeof CreateMessageRequestSchema>
export type CreateMessageResult = Infer<typeof CreateMessageResultSchema>
export type CreateMessageResultWithTools = Infer<typeof CreateMessageResultWithToolsSchema>
export type BooleanSchema = Infer<typeof BooleanSchemaSchema>
export type StringSchema = Infer<typeof StringSchemaSchema>
export type NumberSchema = Infer<typeof NumberSchemaSchema>
export type EnumSchema = Infer<typeof EnumSchemaSchema>
export type UntitledSingleSelectEnumSchema = Infer<typeof UntitledSingleSelectEnumSchemaSchema>
export type TitledSingleSelectEnumSchema = Infer<typeof TitledSingleSelectEnumSchemaSchema>
export type LegacyTitledEnumSchema = Infer<typeof LegacyTitledEnumSchemaSchema>
export type UntitledMultiSelectEnumSchema = Infer<typeof UntitledMultiSelectEnumSchemaSchema>
export type TitledMultiSelectEnumSchema = Infer<typeof TitledMultiSelectEnumSchemaSchema>
export type SingleSelectEnumSchema = Infer<typeof SingleSelectEnumSchemaSchema>
export type MultiSelectEnumSchema = Infer<typeof MultiSelectEnumSchemaSchema>
export type PrimitiveSchemaDefinition = Infer<typeof PrimitiveSchemaDefinitionSchema>
export type ElicitRequestParams = Infer<typeof ElicitRequestParamsSchema>
export type ElicitRequestFormParams = Infer<typeof ElicitRequestFormParamsSchema>
export type ElicitRequestURLParams = Infer<typeof ElicitRequestURLParamsSchema>
export type ElicitRequest = Infer<typeof ElicitRequestSchema>
export type ElicitationCompleteNotificationParams = Infer<
  typeof ElicitationCompleteNotificationParamsSchema
>
export type ElicitationCompleteNotification = Infer<typeof ElicitationCompleteNotificationSchema>
export type ElicitResult = Infer<typeof ElicitResultSchema>
export type ResourceTemplateReference = Infer<typeof ResourceTemplateReferenceSchema>
export type PromptReference = Infer<typeof PromptReferenceSchema>
export type CompleteRequestParams = Infer<typeof CompleteRequestParamsSchema>
export type CompleteRequest = Infer<typeof CompleteRequestSchema>
export type CompleteResult = Infer<typeof CompleteResultSchema>
export type Root = Infer<typeof RootSchema>
export type ListRootsRequest = Infer<typeof ListRootsRequestSchema>
export type ListRootsResult = Infer<typeof ListRootsResultSchema>
export type RootsListChangedNotification = Infer<typeof RootsListChangedNotificationSchema>
export type ClientRequest = Infer<typeof ClientRequestSchema>
export type ClientNotification = Infer<typeof ClientNotificationSchema>
export type ClientResult = Infer<typeof ClientResultSchema>
export type ServerRequest = Infer<typeof ServerRequestSchema>
export type ServerNotification = Infer<typeof ServerNotificationSchema>
export type ServerResult = Infer<typeof ServerResultSchema>

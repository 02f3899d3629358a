/**
 * `@modelcontextprotocol/sdk/spec.types.js`: the types of the specification, where requests and notifications have their envelope.
 *
 * Made of the types of `types.ts`, which come without it. Nothing else in the package uses them.
 */

import type * as types from './types.ts'

export type {
  Annotations,
  AudioContent,
  BaseMetadata,
  BlobResourceContents,
  BooleanSchema,
  CallToolRequestParams,
  CallToolResult,
  CancelTaskResult,
  CancelledNotificationParams,
  ClientCapabilities,
  ClientResult,
  CompleteRequestParams,
  CompleteResult,
  ContentBlock,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateTaskResult,
  Cursor,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
  EmbeddedResource,
  EmptyResult,
  EnumSchema,
  GetPromptRequestParams,
  GetPromptResult,
  GetTaskPayloadResult,
  GetTaskResult,
  Icon,
  Icons,
  ImageContent,
  Implementation,
  InitializeRequestParams,
  InitializeResult,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  LegacyTitledEnumSchema,
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ListRootsResult,
  ListTasksResult,
  ListToolsResult,
  LoggingLevel,
  LoggingMessageNotificationParams,
  ModelHint,
  ModelPreferences,
  MultiSelectEnumSchema,
  Notification,
  NotificationParams,
  NumberSchema,
  PaginatedRequestParams,
  PaginatedResult,
  PrimitiveSchemaDefinition,
  ProgressNotificationParams,
  ProgressToken,
  Prompt,
  PromptArgument,
  PromptMessage,
  PromptReference,
  ReadResourceRequestParams,
  ReadResourceResult,
  RelatedTaskMetadata,
  Request,
  RequestId,
  RequestParams,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceRequestParams,
  ResourceTemplate,
  ResourceTemplateReference,
  ResourceUpdatedNotificationParams,
  Result,
  Role,
  Root,
  SamplingMessage,
  SamplingMessageContentBlock,
  ServerCapabilities,
  ServerResult,
  SetLevelRequestParams,
  SingleSelectEnumSchema,
  StringSchema,
  SubscribeRequestParams,
  Task,
  TaskAugmentedRequestParams,
  TaskMetadata,
  TaskStatus,
  TaskStatusNotificationParams,
  TextContent,
  TextResourceContents,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  Tool,
  ToolAnnotations,
  ToolChoice,
  ToolExecution,
  ToolResultContent,
  ToolUseContent,
  UnsubscribeRequestParams,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from './types.ts'

/** The revision that these types are of, by its name before it was published. */
export const LATEST_PROTOCOL_VERSION = 'DRAFT-2026-v1'
/** The version of JSON-RPC that every message names. */
export const JSONRPC_VERSION = '2.0'
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const URL_ELICITATION_REQUIRED = -32042

/** The error of a response. */
export type Error = types.JSONRPCErrorResponse['error']
/** The error that names what the user has to do at a URL first. */
export type URLElicitationRequiredError = Omit<types.JSONRPCErrorResponse, 'error'> & {
  error: Error & {
    code: typeof URL_ELICITATION_REQUIRED
    data: { elicitations: types.ElicitRequestURLParams[]; [key: string]: unknown }
  }
}

type RequestMessage<T> = T & { jsonrpc: typeof JSONRPC_VERSION; id: types.RequestId }
type NotificationMessage<T> = T & { jsonrpc: typeof JSONRPC_VERSION }

export type CallToolRequest = RequestMessage<types.CallToolRequest>
export type CancelTaskRequest = RequestMessage<types.CancelTaskRequest>
export type CompleteRequest = RequestMessage<types.CompleteRequest>
export type CreateMessageRequest = RequestMessage<types.CreateMessageRequest>
export type ElicitRequest = RequestMessage<types.ElicitRequest>
export type GetPromptRequest = RequestMessage<types.GetPromptRequest>
export type GetTaskPayloadRequest = RequestMessage<types.GetTaskPayloadRequest>
export type GetTaskRequest = RequestMessage<types.GetTaskRequest>
export type InitializeRequest = RequestMessage<types.InitializeRequest>
export type ListPromptsRequest = RequestMessage<types.ListPromptsRequest>
export type ListResourceTemplatesRequest = RequestMessage<types.ListResourceTemplatesRequest>
export type ListResourcesRequest = RequestMessage<types.ListResourcesRequest>
export type ListRootsRequest = RequestMessage<types.ListRootsRequest>
export type ListTasksRequest = RequestMessage<types.ListTasksRequest>
export type ListToolsRequest = RequestMessage<types.ListToolsRequest>
export type PaginatedRequest = RequestMessage<types.PaginatedRequest>
export type PingRequest = RequestMessage<types.PingRequest>
export type ReadResourceRequest = RequestMessage<types.ReadResourceRequest>
export type SetLevelRequest = RequestMessage<types.SetLevelRequest>
export type SubscribeRequest = RequestMessage<types.SubscribeRequest>
export type UnsubscribeRequest = RequestMessage<types.UnsubscribeRequest>

export type CancelledNotification = NotificationMessage<types.CancelledNotification>
export type ElicitationCompleteNotification =
  NotificationMessage<types.ElicitationCompleteNotification>
export type InitializedNotification = NotificationMessage<types.InitializedNotification>
export type LoggingMessageNotification = NotificationMessage<types.LoggingMessageNotification>
export type ProgressNotification = NotificationMessage<types.ProgressNotification>
export type PromptListChangedNotification = NotificationMessage<types.PromptListChangedNotification>
export type ResourceListChangedNotification =
  NotificationMessage<types.ResourceListChangedNotification>
export type ResourceUpdatedNotification = NotificationMessage<types.ResourceUpdatedNotification>
export type RootsListChangedNotification = NotificationMessage<types.RootsListChangedNotification>
export type TaskStatusNotification = NotificationMessage<types.TaskStatusNotification>
export type ToolListChangedNotification = NotificationMessage<types.ToolListChangedNotification>

export type ClientRequest = RequestMessage<types.ClientRequest>
export type ClientNotification = NotificationMessage<types.ClientNotification>
export type ServerRequest = RequestMessage<types.ServerRequest>
export type ServerNotification = NotificationMessage<types.ServerNotification>

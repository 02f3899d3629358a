export {
  iconTypeOf,
  isSafeIcon,
  pickIcon,
  type IconLimits,
  type IconType,
  type IconPreference,
} from './schema/icons.ts'
export {
  audio,
  embed,
  image,
  json,
  resourceLink,
  text,
  type BlockOptions,
  type Json,
} from './schema/make-content.ts'
export {
  compileJsonSchema,
  type CompileOptions,
  type CompileSchema,
  type Validate,
} from './schema/json-schema/compile.ts'
export {
  jsonSchema,
  type TypedJsonSchema,
  withJsonSchema,
} from './schema/json-schema/json-schema.ts'
export { SchemaError } from './schema/json-schema/schema-error.ts'
export { loggingLevels, type LoggingLevel, type LogMessage } from './schema/logging.ts'
export { revisions, type Revision } from './schema/revision.ts'
export {
  isMcpError,
  McpError,
  type ChildDetails,
  type McpErrorCode,
  type McpErrorDetails,
} from './rpc/errors/mcp-error.ts'
export {
  isRpcError,
  RpcError,
  type RpcErrorCode,
  type RpcErrorData,
} from './rpc/errors/rpc-error.ts'
export {
  OutgoingMessage,
  wrapTransport,
  type TransportChanges,
  type MessageSink,
  type RawMessage,
  type Transport,
  type TransportKind,
} from './rpc/transport.ts'
export { ToolError } from './rpc/errors/tool-error.ts'
export { supportedRevisions } from './wire/features.ts'

export type { AuthInfo } from './rpc/auth-info.ts'
export type { Clock } from './rpc/clock.ts'
export type { DeprecatedFeature, Deprecation, OnDeprecated } from './rpc/deprecation.ts'
export type { ErrorReport, OnError } from './rpc/errors/on-error.ts'
export type { Frame } from './rpc/frame.ts'
export type { Limits } from './rpc/limits.ts'
export type {
  Observation,
  RequestMetrics,
  ObservedOutcome,
  ObservedRequest,
  ObservedSession,
  RequestObserver,
  ServiceMetrics,
  SessionEnd,
} from './rpc/observer.ts'
export type {
  ClientCapabilities,
  ServerCapabilities,
  Extension,
  ExtensionMethod,
} from './schema/capabilities.ts'
export type { Completion, CompletionReference } from './schema/completion.ts'
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from './schema/content.ts'
export type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ElicitURLResult,
} from './schema/input/elicitation.ts'
export type { JsonArray, JsonObject, JsonValue } from './schema/json.ts'
export type { Annotations, Icon, Implementation, MetaObject, Role } from './schema/metadata.ts'
export type { ClientRequests, Operation, Operations } from './schema/methods/client-requests.ts'
export type { ClientNotifications, ServerNotifications } from './schema/methods/notifications.ts'
export type { ServerRequests } from './schema/methods/server-requests.ts'
export type { Progress } from './schema/progress.ts'
export type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from './schema/prompts.ts'
export type {
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from './schema/resources.ts'
export type { Root } from './schema/input/input.ts'
export type {
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingContent,
  SamplingMessage,
} from './schema/input/sampling.ts'
export type {
  InferInput,
  InferOutput,
  JsonSchema,
  Schema,
  SchemaIssue,
  StandardSchema,
} from './schema/standard-schema.ts'
export type { SubscriptionFilter } from './schema/subscriptions.ts'
export type {
  AnyTools,
  ToolMap,
  ToolTypes,
  CallToolResult,
  Tool,
  ToolAnnotations,
} from './schema/tools.ts'

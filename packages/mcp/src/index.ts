export { iconTypeOf, isSafeIcon, pickIcon } from './schema/icons.ts'
export { audio, embed, image, json, resourceLink, text } from './schema/make-content.ts'
export { compileJsonSchema } from './schema/json-schema/compile.ts'
export { jsonSchema } from './schema/json-schema/json-schema.ts'
export { SchemaError } from './schema/json-schema/schema-error.ts'
export { loggingLevels } from './schema/logging.ts'
export { revisions } from './schema/revision.ts'
export { withJsonSchema } from './schema/json-schema/with-json-schema.ts'
export { isMcpError, McpError } from './rpc/errors/mcp-error.ts'
export { isRpcError, RpcError } from './rpc/errors/rpc-error.ts'
export { OutgoingMessage } from './rpc/transport/outgoing-message.ts'
export { wrapTransport } from './rpc/transport/wrap-transport.ts'
export { ToolError } from './rpc/errors/tool-error.ts'
export { spokenRevisions } from './wire/features.ts'

export type { AuthInfo } from './rpc/auth-info.ts'
export type { Clock } from './rpc/time/clock.ts'
export type { DeprecatedFeature, Deprecation, OnDeprecated } from './rpc/deprecation.ts'
export type { ErrorReport, OnError } from './rpc/errors/error-report.ts'
export type { Frame } from './rpc/frame.ts'
export type { Limits } from './rpc/limits.ts'
export type {
  Observation,
  ObservedFacts,
  ObservedOutcome,
  ObservedRequest,
  ObservedSession,
  RequestObserver,
  ServiceFigures,
  SessionEnd,
} from './rpc/observer.ts'
export type { ChildDetails, McpErrorCode, McpErrorDetails } from './rpc/errors/mcp-error.ts'
export type { RpcErrorCode, RpcErrorData } from './rpc/errors/rpc-error.ts'
export type { MessageSink, RawMessage, Transport, TransportKind } from './rpc/transport.ts'
export type { TransportChanges } from './rpc/transport/wrap-transport.ts'
export type { ClientCapabilities, ServerCapabilities } from './schema/capabilities.ts'
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
export type { Extension, ExtensionMethod } from './schema/extension.ts'
export type { IconLimits, IconType, IconWish } from './schema/icons.ts'
export type { CompileOptions, CompileSchema, Validate } from './schema/json-schema/compile.ts'
export type { TypedJsonSchema } from './schema/json-schema/json-schema.ts'
export type { JsonArray, JsonObject, JsonValue } from './schema/json/json.ts'
export type { LoggingLevel, LogMessage } from './schema/logging.ts'
export type { BlockOptions, Json } from './schema/make-content.ts'
export type { Annotations, Icon, Implementation, MetaObject, Role } from './schema/metadata.ts'
export type { ClientRequests } from './schema/methods/client-requests.ts'
export type { ClientNotifications, ServerNotifications } from './schema/methods/notifications.ts'
export type { ServerRequests } from './schema/methods/server-requests.ts'
export type { Operation, Operations } from './schema/operations.ts'
export type { Progress } from './schema/progress.ts'
export type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from './schema/prompts.ts'
export type {
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from './schema/resources.ts'
export type { Revision } from './schema/revision.ts'
export type { Root } from './schema/input/roots.ts'
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
export type { AnyTools, ToolMap, ToolTypes } from './schema/tool-map.ts'
export type { CallToolResult, Tool, ToolAnnotations } from './schema/tools.ts'

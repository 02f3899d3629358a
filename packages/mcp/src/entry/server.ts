export { ToolError } from '../rpc/errors/tool-error.ts'
export {
  audio,
  embed,
  image,
  json,
  resourceLink,
  text,
  type BlockOptions,
  type Json,
} from '../schema/make-content.ts'
export { createServer, type ServerOptions, type ToolsOf } from '../server/create-server.ts'
export {
  inputRequired,
  type InputRequest,
  type Need,
  type InputRequired,
} from '../server/input/input-required.ts'
export { visibleTools } from '../server/lists/caller-lists.ts'
export { mountClient, type MountedClient } from '../server/mount-client.ts'
export {
  definePrompt,
  message,
  type PromptConfig,
  type PromptReturn,
} from '../server/prompts/prompts.ts'
export {
  rateLimit,
  type RateLimit,
  type RateLimitOptions,
  type SharedBudgets,
  type SharedRate,
} from '../server/rate-limit.ts'
export {
  defineResource,
  type ResourceConfig,
  type ResourceHandler,
  type ResourceReturn,
} from '../server/resources/resources.ts'
export {
  sampleWithTools,
  type SamplingLoop,
  type SamplingTool,
} from '../server/input/sample-with-tools.ts'
export type { CoercedArgument } from '../server/tools/coerce-arguments.ts'
export {
  defineTool,
  type PlainObject,
  type StructuredReturn,
  type ToolConfig,
  type ToolFeature,
  type ToolReturn,
} from '../server/tools/tools.ts'
export { toolResult, type ToolResult } from '../server/tools/tool-result.ts'
export {
  serveTransport,
  type ServeOptions,
  type Service,
} from '../server/sessions/serve-connection.ts'
export {
  expandUriTemplate,
  parseUriTemplate,
  type UriVariables,
} from '../server/resources/uri-template/uri-template.ts'
export type { Server, MountOptions } from '../server/server.ts'
export type { CacheHint } from '../server/lists/lists.ts'
export type {
  AskedTask,
  InputRequestOptions,
  Context,
  IncomingRequest,
  InputOptions,
  RequestContext,
} from '../server/context.ts'
export type { ServerExtension } from '../server/extensions.ts'
export type { Feature, Handler, Registration, Scopes } from '../server/feature.ts'
export type { Completer } from '../server/completion/completion.ts'
export type { Middleware, OperationCall, Outcome } from '../server/middleware.ts'
export type { DrainReport } from '../server/calls/calls-in-flight.ts'

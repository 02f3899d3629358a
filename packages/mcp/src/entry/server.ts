export { createServer } from '../server/create-server.ts'
export { inputRequired } from '../server/input/input-required.ts'
export { visibleTools } from '../server/lists/caller-lists.ts'
export { mountClient } from '../server/mount-client.ts'
export { definePrompt, message } from '../server/prompts/prompts.ts'
export { rateLimit } from '../server/rate-limit.ts'
export { defineResource } from '../server/resources/resources.ts'
export { sampleWithTools } from '../server/input/sample-with-tools.ts'
export type { CoercedArgument } from '../server/tools/coerce-arguments.ts'
export { defineTool } from '../server/tools/tools.ts'
export { toolResult } from '../server/tools/tool-result.ts'
export { serveTransport } from '../server/peer/serve.ts'
export {
  expandUriTemplate,
  parseUriTemplate,
} from '../server/resources/uri-template/uri-template.ts'
export type { ServerOptions, ToolsOf } from '../server/create-server.ts'
export type { Server, MountOptions } from '../server/server.ts'
export type { CacheHint } from '../server/lists/cache-hint.ts'
export type {
  AskedTask,
  AskOptions,
  Context,
  IncomingRequest,
  InputOptions,
  RequestContext,
} from '../server/context.ts'
export type { ServerExtension } from '../server/extensions.ts'
export type { InputRequest, Need } from '../server/input/input-required.ts'
export type { InputRequired } from '../server/input/input-required.ts'
export type { Feature, Handler, Registration, Scopes } from '../server/feature.ts'
export type { Completer } from '../server/completion/completion.ts'
export type { Middleware, OperationCall, Outcome } from '../server/middleware.ts'
export type { PromptConfig, PromptReturn } from '../server/prompts/prompts.ts'
export type {
  ResourceConfig,
  ResourceHandler,
  ResourceReturn,
} from '../server/resources/resources.ts'
export type {
  RateLimit,
  RateLimitOptions,
  SharedBudgets,
  SharedRate,
} from '../server/rate-limit.ts'
export type { MountedClient } from '../server/mount-client.ts'
export type { SamplingLoop, SamplingTool } from '../server/input/sample-with-tools.ts'
export type { DrainReport } from '../server/calls/calls-in-flight.ts'
export type { ServeOptions, Service } from '../server/peer/serve.ts'
export type {
  StructuredReturn,
  ToolConfig,
  ToolFeature,
  ToolReturn,
} from '../server/tools/tools.ts'
export type { ToolResult } from '../server/tools/tool-result.ts'
export type { UriVariables } from '../server/resources/uri-template/uri-variables.ts'

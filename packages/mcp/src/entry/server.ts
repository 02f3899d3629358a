export { createServer } from '../server/create-server.ts'
export { inputRequired } from '../server/input-required.ts'
export { mountClient } from '../server/mount-client.ts'
export { definePrompt, message } from '../server/prompts.ts'
export { rateLimit } from '../server/rate-limit.ts'
export { defineResource } from '../server/resources.ts'
export { sampleWithTools } from '../server/sampling-loop.ts'
export { defineTool } from '../server/tools.ts'
export { toolResult } from '../server/tool-result.ts'
export { serveTransport } from '../server/serve.ts'
export { expandUriTemplate, parseUriTemplate } from '../server/uri-template.ts'
export type { ServerOptions, ToolsOf } from '../server/create-server.ts'
export type { Server, MountOptions } from '../server/server.ts'
export type { CacheHint } from '../server/cache-hint.ts'
export type {
  AskedTask,
  AskOptions,
  Context,
  IncomingRequest,
  InputOptions,
  RequestContext,
} from '../server/context.ts'
export type { ServerExtension } from '../server/extension-hooks.ts'
export type { InputRequest, Need } from '../server/input-required.ts'
export type { InputRequired } from '../server/round-end.ts'
export type { Feature, Handler, Registration, Scopes } from '../server/feature.ts'
export type { Completer } from '../server/completion.ts'
export type { Middleware, OperationCall, Outcome } from '../server/middleware.ts'
export type { PromptConfig, PromptReturn } from '../server/prompts.ts'
export type { ResourceConfig, ResourceHandler, ResourceReturn } from '../server/resources.ts'
export type { RateLimit, RateLimitOptions } from '../server/rate-limit.ts'
export type { MountedClient } from '../server/mount-client.ts'
export type { SamplingLoop, SamplingTool } from '../server/sampling-loop.ts'
export type { DrainReport } from '../server/calls-in-flight.ts'
export type { ServeOptions, Service } from '../server/serve.ts'
export type { StructuredReturn, ToolConfig, ToolFeature, ToolReturn } from '../server/tools.ts'
export type { ToolResult } from '../server/tool-result.ts'
export type { UriVariables } from '../server/uri-variables.ts'

export { createMcpHandler, type McpHandler } from '../transport/http/fetch-handler.ts'
export type { ReplayLimits } from '../transport/http/event-log.ts'
export type {
  Guard,
  GuardRequest,
  Health,
  HttpOptions,
  Verdict,
} from '../transport/http/http-options.ts'

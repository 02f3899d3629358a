export { createMcpHandler, type McpHandler } from '../transport/http/fetch-handler.ts'
export type {
  EventBatch,
  EventLog,
  LogPage,
  ReplayLimits,
  StreamRef,
} from '../transport/http/event-log.ts'
export type {
  Cluster,
  Denial,
  Guard,
  GuardedOperation,
  GuardRequest,
  Health,
  HttpOptions,
  RouteCaller,
  Verdict,
} from '../transport/http/http-options.ts'
export type {
  SessionFacts,
  SessionRecord,
  SessionRecords,
} from '../transport/http/session-records.ts'

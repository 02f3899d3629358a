export {
  createMcpHandler,
  type McpHandler,
  type FetchOptions,
} from '../transport/http/runtime/fetch.ts'
export type {
  EventBatch,
  EventLog,
  LastRead,
  LogPage,
  ReplayLimits,
  StreamEnding,
  StreamRef,
} from '../transport/http/streams/event-log.ts'
export { endedSession, notifySession, onSessionEnded } from '../transport/http/cluster/messages.ts'
export type {
  Cluster,
  ClusterHealth,
  ClusterListener,
  ClusterMessages,
  ClusterMetrics,
} from '../transport/http/cluster/cluster.ts'
export type {
  ClientCertificate,
  GuardDenial,
  HttpGuard,
  GuardedOperation,
  HttpGuardRequest,
  Health,
  HttpOptions,
  RouteCaller,
  GuardDecision,
} from '../transport/http/http-options.ts'
export type {
  SessionData,
  SessionRecord,
  SessionRecords,
} from '../transport/http/cluster/records.ts'

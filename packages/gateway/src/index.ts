export { startBridge, type Bridge } from './bridge/start-bridge.ts'
export type {
  BridgeCommand,
  BridgeMode,
  BridgeOptions,
  BridgeSource,
  BridgeTarget,
} from './bridge/bridge-options.ts'
export { readDuration } from './bridge/duration.ts'
export { readBytes } from './bridge/byte-size.ts'
export { startGateway } from './gateway/start-gateway.ts'
export type { Gateway, GatewayOptions, ReloadOptions } from './gateway/gateway.ts'
export type { GatewayProfile, GatewayProfiles } from './gateway/cores.ts'
export type { GatewayDifference } from './gateway/exchange.ts'
export { controlFile, startControl, type ControlOptions } from './gateway/control.ts'
export type { GatewayClusterOptions } from './cluster/processes.ts'
export { watchFiles } from './config/watch-files.ts'
export type { GatewayServer, GatewayServerSettings } from './upstreams/server-options.ts'
export { describeOutgoing } from './identity/describe-outgoing.ts'
export type { OutgoingAuth } from './identity/outgoing-auth.ts'
export type { ProofClient } from './identity/browser-proof.ts'
export type { ListenerTls } from './identity/listener-tls.ts'
export type { OpenApiEntry, OpenApiOperations } from './openapi/openapi-entry.ts'
export type { SearchSettings } from './search/search-settings.ts'
export type { UpstreamState } from './upstreams/upstream-state.ts'
export type { BackOffLimits } from './upstreams/back-off.ts'
export type { NamingStrategy } from './naming/naming.ts'
export type {
  Caller,
  Check,
  CheckedRequest,
  Rejection,
  SharedState,
  Subject,
} from './checks/check.ts'
export { openCluster, type ClusterSettings } from './config/cluster-settings.ts'
export { changedSections, needingRestart } from './config/sections.ts'
export { gatewayOptions } from './config/gateway-options.ts'
export { loadGatewayConfig, startGatewayPage } from './on-demand.ts'
export type {
  GatewayConfig,
  LoadedGatewayConfig,
  OperatedContext,
  TelemetrySettings,
} from './config/gateway-config.ts'
export type { LoadGatewayOptions } from './config/load-gateway-config.ts'
export type { ListenSettings } from './config/listen-settings.ts'
export type { Profile, ToolFilter } from './config/profiles.ts'
export type { PageSettings } from './config/page-settings.ts'
export type { GatewayPage, GatewayPageOptions } from './page-service/start-page.ts'
export type { StatusShown } from './gateway/status.ts'
export { UsageError } from './usage-error.ts'
export { openApiKeyFile } from './keys/api-key-file.ts'
export type { ApiKeyFile, ApiKeyFileOptions, ListedKey, NewKey } from './keys/api-key-file.ts'
export type { StoredKey } from './keys/key-file.ts'
export { loadChecks, type LoadedChecks } from './checks/load-checks.ts'
export type { AuditLocation, ConfiguredChecks } from './checks/read-checks.ts'
export type { CheckProblem } from './checks/read-checks.ts'
export type { Policy, PolicyExplanation, PolicyStep } from './checks/policy/policy.ts'
export type { Pinning } from './checks/pinning/pinning.ts'
export type { Quarantined } from './checks/pinning/pin-store.ts'
export type { Difference } from './checks/pinning/differences.ts'

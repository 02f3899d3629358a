export {
  createProxy,
  type Proxy,
  type ProxyRelay,
  type ProxyTarget,
} from '../transport/proxy/create-proxy.ts'
export { serveInProcess } from '../transport/connect-local.ts'
export type { ProxyWatch, ProxyWatcher, WatchedList } from '../transport/proxy/watch.ts'
export type { ProxySession } from '../transport/proxy/proxy-session.ts'
export { requireMethod } from '../transport/proxy/require-method.ts'
export { isUnanswered } from '../transport/proxy/translate.ts'
export type { ParkedLimits, ProxyMode, ProxyOptions } from '../transport/proxy/proxy-options.ts'
export { openText, sealText } from '../server/input/request-state.ts'
export { requireTasks } from '../server/tasks/task-calls.ts'
export {
  createRelayedServer,
  type Relay,
  type RelayedChannel,
  type RelayedClient,
  type RelayOpening,
  type RelaySession,
  type RelayWelcome,
} from '../server/relay.ts'
export { RoutedCall, type RoutedOptions } from '../server/calls/routed-call.ts'
export { Call as RelayedCall } from '../server/calls/call.ts'
export {
  createRemoteCaller,
  type RemoteChannel,
  type RemoteFacts,
} from '../server/calls/remote-caller.ts'
export type { Caller as RelayedCaller } from '../server/calls/caller.ts'
export type { Answer as RelayedAnswer } from '../server/calls/dispatch.ts'

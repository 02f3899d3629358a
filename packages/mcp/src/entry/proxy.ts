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
  type Backend,
  type BackendChannel,
  type BackendClient,
  type BackendOpening,
  type BackendSession,
  type BackendWelcome,
} from '../server/backend.ts'
export { ForwardedCall, type RoutedOptions } from '../server/calls/forwarded-call.ts'
export { Call as RelayedCall } from '../server/calls/call.ts'
export {
  createRemoteCaller,
  type RemoteChannel,
  type RemoteFacts,
} from '../server/calls/remote-caller.ts'
export type { Caller as RelayedCaller } from '../server/calls/caller.ts'
export type { Outcome as RelayedAnswer } from '../server/calls/dispatch.ts'

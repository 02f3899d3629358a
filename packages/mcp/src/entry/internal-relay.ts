// What the gateway needs to relay requests without a server of its own. Not part of the API, as `internal.ts`.

export { serveInProcess } from '../transport/connect-local.ts'
export { requireMethod } from '../transport/proxy/require-method.ts'
export { isUnanswered } from '../transport/proxy/translate.ts'
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

// Exports for the gateway, which relays requests without a server of its own. Not part of the API, as `internal.ts`.

export { serveInProcess } from '../transport/connect-local.ts'
export { requireMethod } from '../transport/proxy/require-method.ts'
export { isUnanswered } from '../transport/proxy/translate.ts'
export { openText, encryptText } from '../server/input/request-state.ts'
export { requireTasks } from '../server/tasks/task-calls.ts'
export {
  createBackendServer,
  type Backend,
  type BackendChannel,
  type BackendClient,
  type BackendOpening,
  type BackendSession,
  type BackendServerInfo,
} from '../server/backend.ts'
export { ForwardedCall, type RoutedOptions } from '../server/calls/forwarded-call.ts'
export { Call as BackendCall } from '../server/calls/call.ts'
export {
  createRemoteCaller,
  type RemoteChannel,
  type RemoteRequest,
} from '../server/calls/remote-caller.ts'
export type { Caller as BackendCaller } from '../server/calls/caller.ts'
export type { Outcome as BackendOutcome } from '../server/calls/dispatch.ts'

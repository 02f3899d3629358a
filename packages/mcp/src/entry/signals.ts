export { createBackoff, type Backoff, type BackoffOptions } from '../rpc/backoff.ts'
export {
  anySignal,
  sleep,
  unlessAborted,
  waitAtMost,
  withTimeout,
  type WaitOptions,
} from '../rpc/signals.ts'

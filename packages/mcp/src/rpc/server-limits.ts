import { resolveLimits, type Limits } from './limits.ts'

/** Every limit of a server with its value. */
export type ServerLimits = { readonly [Limit in keyof Limits]-?: number }

const megabyte = 1024 * 1024

/** What the user set, and our defaults for the rest. Who may send longer messages may have more of them held. */
export function resolveServerLimits(limits: Limits = {}): ServerLimits {
  const { messageBytes = 0, batchBytes, clientBytes } = limits
  const callerBytes = limits.callerBytes ?? Math.max(64 * megabyte, 4 * messageBytes)
  return {
    ...resolveLimits(limits),
    batchBytes: batchBytes ?? 16 * megabyte,
    callerBytes,
    totalBytes: limits.totalBytes ?? Math.max(512 * megabyte, 4 * callerBytes),
    clientBytes: clientBytes ?? 32 * 1024,
  }
}

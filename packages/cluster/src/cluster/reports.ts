import { errorMessage } from '@parley/mcp/json'

import type { StoreUnavailable } from '../store/cluster-store.ts'

/** What a callback of the user's throws must not end a process. */
export function guarded<Value>(
  callback: (value: Value) => void,
  onError: (error: unknown) => void = (error) => console.error('the cluster:', error),
): (value: Value) => void {
  return (value) => {
    try {
      callback(value)
    } catch (error) {
      onError(error)
    }
  }
}

const printEveryMs = 60_000

/** A line on standard error, once a minute. */
export function printSometimes(): (error: unknown) => void {
  let printedAt = -Infinity
  return (error) => {
    const now = performance.now()
    if (now - printedAt < printEveryMs) return
    printedAt = now
    console.error(`the cluster: ${errorMessage(error)}`)
  }
}

/** A line on standard error, the first time. */
export function printOnce(): (error: StoreUnavailable) => void {
  let isPrinted = false
  return ({ message }) => {
    if (!isPrinted)
      console.error(`the cluster's store cannot be reached yet: ${message}; trying again`)
    isPrinted = true
  }
}

import type { JsonObject } from '@parley/mcp'
import { endedSession, type ClusterMetrics } from '@parley/mcp/http'
import { errorMessage } from '@parley/mcp/json'

import type { StoreUnavailable } from '../store/cluster-store.ts'

/** Something that happened in a cluster, for whatever collects figures. */
export type ClusterMetric =
  /** Writes to the log of a stream, how long each took, and how many events it had. */
  | Metric<'appends', 'counter'>
  | Metric<'appendMs', 'histogram'>
  | Metric<'batchEvents', 'histogram'>
  /** Writes that were refused because the stream had been ended or taken over. */
  | Metric<'fencedWrites', 'counter'>
  /** Streams ended in the place of a process that was lost. */
  | Metric<'takeovers', 'counter'>
  /** Streams that a client came back to, and the events read from the store for it. */
  | Metric<'resumes', 'counter'>
  | Metric<'replayedEvents', 'counter'>
  /** How long messages between processes were under way. Needs clocks that agree. */
  | Metric<'mailboxWaitMs', 'histogram'>
  /** How long renewing the lease took, and renewals that failed. */
  | Metric<'leaseRenewMs', 'histogram'>
  | Metric<'leaseMisses', 'counter'>
  /** How long it took until this process heard that a session was ended elsewhere. Needs clocks that agree. */
  | Metric<'revocationLagMs', 'histogram'>
  /** Readers that were cut off because they took too little. */
  | Metric<'slowConsumerCuts', 'counter'>
  /** Calls of the store that failed. */
  | (Metric<'storeErrors', 'counter'> & {
      /** The part and the method of the store that failed. */
      readonly operation: string
    })
  /** Streams with a reader, told with every heartbeat. */
  | Metric<'openStreams', 'gauge'>

interface Metric<Name extends string, Kind extends 'counter' | 'histogram' | 'gauge'> {
  readonly name: Name
  /** The meaning of `value`: an amount to add, one observation, or the current state. */
  readonly kind: Kind
  readonly value: number
}

/** Takes metrics. */
export type OnMetric = (metric: ClusterMetric) => void

/** Metrics of endpoints. Costs nothing without a listener. */
export interface EndpointMetrics extends ClusterMetrics {
  /** Sums up what is open at all endpoints. */
  notifyStreams(): void
}

/** A message of another process was heard, `ms` after it was sent. */
export function measureMessage(emit: OnMetric, message: JsonObject, ms: number): void {
  emit({ name: 'mailboxWaitMs', kind: 'histogram', value: ms })
  if (endedSession(message) !== undefined)
    emit({ name: 'revocationLagMs', kind: 'histogram', value: ms })
}

export function createClusterMetrics(emit: OnMetric | undefined): EndpointMetrics {
  const counts = new Set<() => number>()
  return {
    readerCut: () => emit?.({ name: 'slowConsumerCuts', kind: 'counter', value: 1 }),
    watchStreams(count) {
      const own = (): number => count()
      counts.add(own)
      return { [Symbol.dispose]: () => void counts.delete(own) }
    },
    notifyStreams() {
      if (counts.size === 0) return
      const value = [...counts].reduce((sum, count) => sum + count(), 0)
      emit?.({ name: 'openStreams', kind: 'gauge', value })
    },
  }
}

/** Runs a callback of the user; its exceptions must not end a process. */
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

import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Cluster } from '@parley/mcp/http'
import type { TaskStore } from '@parley/mcp/tasks'

import { StoreUnavailable, type ClusterStore } from '../store/cluster-store.ts'
import type { StreamLimits } from '../store/streams.ts'
import { createStoredEventLog } from './stored-event-log.ts'
import { createStoredSessions } from './stored-sessions.ts'
import { createStoredTasks } from './stored-tasks.ts'
import { createStoredValues, type StoredValues } from './stored-values.ts'

/** How processes share a store. */
export interface ClusterOptions {
  /** How much of each stream is kept for resuming. @defaultValue 1,000 events, 8 MiB, 60 s after its end, 10 min while it is open */
  readonly streams?: Partial<StreamLimits> | undefined
  /** How long `start` tries to reach the store. @defaultValue 30_000 */
  readonly startMs?: number | undefined
  /** Hears that the store cannot be reached yet. @defaultValue a line on standard error, once */
  readonly onRetry?: ((error: StoreUnavailable) => void) | undefined
}

/** What `serveHttp` takes as `cluster`. Start it first, and close it after the service has drained. */
export interface StoreCluster extends Required<Cluster>, AsyncDisposable {
  /** For `serverTasks({ store })`. */
  readonly tasks: TaskStore
  /** For `createAuthServer({ store })`: sign-ins, grants and keys that every process knows. */
  readonly values: StoredValues
  /** Resolves when the store has answered. */
  start(): Promise<void>
  close(): Promise<void>
}

const defaultStreams: StreamLimits = {
  events: 1_000,
  bytes: 8 * 1024 * 1024,
  endedMs: 60_000,
  openMs: 600_000,
}
const firstWaitMs = 100
const longestWaitMs = 2_000

/** Lets processes that use the same store serve the same sessions and streams. */
export function createCluster(store: ClusterStore, options: ClusterOptions = {}): StoreCluster {
  const { startMs = 30_000, onRetry = printOnce() } = options
  const limits = { ...defaultStreams, ...options.streams }

  /** A store that is starting too is waited for. */
  async function start(): Promise<void> {
    const end = performance.now() + startMs
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
      try {
        return await store.start()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || performance.now() + waitMs > end) throw error
        onRetry(error)
      }
      await sleep(waitMs)
    }
  }

  return {
    sessions: createStoredSessions(store),
    log: createStoredEventLog(store, randomUUID(), limits),
    tasks: createStoredTasks(store),
    values: createStoredValues(store),
    start,
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
  }
}

function printOnce(): (error: StoreUnavailable) => void {
  let isPrinted = false
  return ({ message }) => {
    if (!isPrinted)
      console.error(`the cluster's store cannot be reached yet: ${message}; trying again`)
    isPrinted = true
  }
}

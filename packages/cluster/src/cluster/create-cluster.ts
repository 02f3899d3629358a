/**
 * Makes a cluster of a store: several processes that serve the same sessions and streams. It starts and stops the parts (membership,
 * sessions, messages, streams, tasks, budgets) and gives them to `serveHttp` as one `Cluster`.
 *
 * Everything here is the same for every engine; what an engine does is `store/cluster-store.ts`.
 */

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Cluster } from '@parley/mcp/http'
import type { TaskStore } from '@parley/mcp/tasks'

import { type ClusterBudgets, type ClusterStore, StoreUnavailable } from '../store/cluster-store.ts'
import type { StreamLimits } from '../store/streams.ts'
import { createClusterSecrets, type ClusterSecret } from './cluster-secrets.ts'
import { createEqualShare } from './equal-share.ts'
import { measureLog, measureStore } from './measured-store.ts'
import { createMembership } from './membership.ts'
import {
  createClusterMetrics,
  measureMessage,
  type OnMetric,
  guarded,
  printSometimes,
  printOnce,
} from './metrics.ts'
import { describeNode, requireSharedSecret } from './node-info.ts'
import { createStoredEventLog } from './stored-event-log.ts'
import { createStoredGrants, type StoredGrants } from './stored-grants.ts'
import { storeReplies, createStoredMessages } from './stored-messages.ts'
import { createStoredSessions } from './stored-sessions.ts'
import { createStoredTasks } from './stored-tasks.ts'
import { createStoredValues, type StoredValues } from './stored-values.ts'

/** How processes share a store. */
export interface ClusterOptions {
  /** How much of each stream is kept for resuming. @defaultValue 1,000 events, 8 MiB, 60 s after its end, 10 min while it is open */
  readonly streams?: Partial<StreamLimits> | undefined
  /**
   * What session ids and request states are sealed with: 32 random characters or more, the same in every process. Of a list
   * the first seals, and all open. To replace a secret without losing a session, give every process `[old, new]`, then
   * `[new, old]`, and `[new]` when no session can be older. A function is asked again with every heartbeat, so that this
   * needs no restart. A process that shares no secret with those that run already does not start.
   */
  readonly secret: ClusterSecret | undefined
  /** A process that has been silent for this long counts as lost. @defaultValue 10_000 */
  readonly leaseMs?: number | undefined
  /**
   * `limits.inFlight` and the sessions of one caller are limited for all processes together: each may accept an equal part,
   * as many as are alive. For balancers that spread requests evenly. @defaultValue false: each process accepts all of it
   */
  readonly shareLimits?: boolean | undefined
  /** Hears of the store's failures that belong to no request. @defaultValue a line on standard error, once a minute */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Takes figures of what happens; see `ClusterMetric`. */
  readonly onMetric?: OnMetric | undefined
  /** How long `start` tries to reach the store. @defaultValue 30_000 */
  readonly startMs?: number | undefined
  /** Hears that the store cannot be reached yet. @defaultValue a line on standard error, once */
  readonly onRetry?: ((error: StoreUnavailable) => void) | undefined
}

/** The value of `serveHttp`'s option `cluster`: it is started before the server listens, and closed when it has drained. */
export interface StoreCluster extends Cluster, AsyncDisposable {
  /** For `serverTasks({ store })`. */
  readonly tasks: TaskStore
  /** For `createAuthServer({ store })`: sign-ins, grants and keys that every process knows. */
  readonly values: StoredValues
  /** For `signIn({ store })` and other clients of `@parley/auth`: grants that one process refreshes for all. Encrypted. */
  readonly grants: StoredGrants
  /** For `rateLimit({ shared: { name, budgets } })`. */
  readonly budgets: ClusterBudgets
}

/** Readers elsewhere look with every heartbeat; one that is late is not gone yet. */
const missedLooks = 3

function streamLimits(
  limits: ClusterOptions['streams'] | undefined,
  heartbeatMs: number,
): StreamLimits {
  const {
    events = 1_000,
    bytes = 8 * 1024 * 1024,
    endedMs = 60_000,
    openMs = 600_000,
  } = limits ?? {}
  return { events, bytes, endedMs, openMs, readMs: missedLooks * heartbeatMs }
}

const minLeaseMs = 100
const maxLeaseMs = 3_600_000

/** Lets processes that use the same store serve the same sessions and streams. Throws if `secret` is none. */
export function createCluster(shared: ClusterStore, options: ClusterOptions): StoreCluster {
  const { leaseMs = 10_000, startMs, onRetry, onMetric } = options
  checkLease(leaseMs)
  const onError = guarded(options.onError ?? printSometimes())
  const secrets = createClusterSecrets(options.secret, onError)
  const emit = onMetric && guarded(onMetric, onError)
  const node = randomBytes(10).toString('hex')
  const store = emit ? measureStore(shared, node, emit) : shared
  const heartbeatMs = leaseMs / 3
  const limits = streamLimits(options.streams, heartbeatMs)
  const metrics = createClusterMetrics(emit)
  const membership = createMembership({
    leases: store.leases,
    node,
    leaseMs,
    info() {
      secrets.refresh()
      return describeNode(secrets.checks())
    },
    admit: (alive) => requireSharedSecret(node, secrets.checks(), alive),
    onError(error) {
      emit?.({ name: 'leaseMisses', kind: 'counter', value: 1 })
      onError(error)
    },
    onRenewed(value) {
      emit?.({ name: 'leaseRenewMs', kind: 'histogram', value })
      metrics.notifyStreams()
    },
  })
  const messages = createStoredMessages({
    store,
    node,
    heartbeatMs,
    keepMs: 6 * leaseMs,
    onError,
    onReceived: emit && ((message, ms) => measureMessage(emit, message, ms)),
  })
  // Half as often as streams and tasks are looked at.
  const isDisconnected = storeReplies(membership.isDisconnected, heartbeatMs / 2)
  const log = createStoredEventLog({ store, node, limits, isDisconnected })
  const part = options.shareLimits
    ? createEqualShare(store.leases, heartbeatMs, onError)
    : undefined
  const warned = new Set<string>()
  let starting: Promise<void> | undefined
  let closing: Promise<void> | undefined

  function warn(message: string): void {
    if (warned.has(message)) return
    warned.add(message)
    if (options.onError) onError(new Error(message))
    else console.error(`the cluster: ${message}`) // whatever was printed before
  }

  async function start(): Promise<void> {
    try {
      // Also what comes after the first answer: where many processes start at once, the store may be late for a while.
      const steps = [() => store.start(warn), membership.start, messages.start, part?.start]
      for (const step of steps) if (step) await waitForStore(step, { startMs, onRetry })
    } catch (error) {
      starting = undefined // it can be tried again
      throw error
    }
  }

  async function close(): Promise<void> {
    part?.stop()
    messages.stop()
    await membership.stop()
    await store.close()
  }

  return {
    node,
    heartbeatMs,
    secrets: secrets.current,
    sessions: createStoredSessions(store),
    log: emit ? measureLog(log, emit) : log,
    messages,
    once: store.once,
    tasks: createStoredTasks(store, { node, heartbeatMs, isDisconnected }),
    values: createStoredValues(store),
    grants: createStoredGrants(store, secrets.current),
    budgets: store.budgets,
    metrics,
    share: part?.share,
    health: membership.health,
    start: () => (starting ??= start()),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  }
}

function checkLease(leaseMs: number): void {
  if (leaseMs >= minLeaseMs && leaseMs <= maxLeaseMs) return
  throw new Error(
    `leaseMs ${leaseMs} is out of range: use ${minLeaseMs} to ${maxLeaseMs} milliseconds`,
  )
}

export interface WaitForStoreOptions {
  readonly startMs?: number | undefined
  readonly onRetry?: ((error: StoreUnavailable) => void) | undefined
}

const firstWaitMs = 100
const maxWaitMs = 2_000

/** Asks again until the store can be reached: it may be starting too. */
export async function waitForStore<Answer>(
  requestStore: () => Promise<Answer>,
  { startMs = 30_000, onRetry = printOnce() }: WaitForStoreOptions,
): Promise<Answer> {
  const end = performance.now() + startMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(maxWaitMs, waitMs * 2)) {
    try {
      return await requestStore()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() + waitMs > end) throw error
      onRetry(error)
    }
    await sleep(waitMs)
  }
}

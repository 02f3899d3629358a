import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Cluster } from '@parley/mcp/http'
import type { TaskStore } from '@parley/mcp/tasks'

import type { Budgets } from '../store/budgets.ts'
import { StoreUnavailable, type ClusterStore } from '../store/cluster-store.ts'
import type { StreamLimits } from '../store/streams.ts'
import { createMembership } from './membership.ts'
import { keepAnswers } from './recent-answers.ts'
import { createStoredEventLog } from './stored-event-log.ts'
import { createStoredGrants, type StoredGrants } from './stored-grants.ts'
import { createStoredMessages } from './stored-messages.ts'
import { createStoredSessions } from './stored-sessions.ts'
import { createStoredTasks } from './stored-tasks.ts'
import { createStoredValues, type StoredValues } from './stored-values.ts'

/** How processes share a store. */
export interface ClusterOptions {
  /** How much of each stream is kept for resuming. @defaultValue 1,000 events, 8 MiB, 60 s after its end, 10 min while it is open */
  readonly streams?: Partial<StreamLimits> | undefined
  /**
   * What session ids and request states are sealed with: 32 random characters or more, the same in every process. To replace
   * one, give the new one before the old one to every process, and take the old one away when no session can be that old. A
   * function is asked again and again, so that this needs no restart.
   */
  readonly secret?: string | readonly string[] | (() => string | readonly string[]) | undefined
  /** A process that has been silent for this long counts as lost. @defaultValue 10_000 */
  readonly leaseMs?: number | undefined
  /** Hears of the store's failures that belong to no request. @defaultValue a line on standard error, once a minute */
  readonly onError?: ((error: unknown) => void) | undefined
  /** How long `start` tries to reach the store. @defaultValue 30_000 */
  readonly startMs?: number | undefined
  /** Hears that the store cannot be reached yet. @defaultValue a line on standard error, once */
  readonly onRetry?: ((error: StoreUnavailable) => void) | undefined
}

/** What `serveHttp` takes as `cluster`. Start it first, and close it after the service has drained. */
export interface StoreCluster extends Cluster, AsyncDisposable {
  /** For `serverTasks({ store })`. */
  readonly tasks: TaskStore
  /** For `createAuthServer({ store })`: sign-ins, grants and keys that every process knows. */
  readonly values: StoredValues
  /** For `signIn({ store })` and other clients of `@parley/auth`: grants that one process refreshes for all. Encrypted. */
  readonly grants: StoredGrants
  /** For `rateLimit({ shared: { name, budgets } })`. */
  readonly budgets: Budgets
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
  const {
    startMs = 30_000,
    leaseMs = 10_000,
    onRetry = printOnce(),
    onError = printError,
  } = options
  const limits = { ...defaultStreams, ...options.streams }
  const node = randomBytes(10).toString('hex')
  const info = `${hostname()} ${process.pid}`
  const heartbeatMs = leaseMs / 3
  const secrets = secretsOf(options.secret)
  const membership = createMembership({ leases: store.leases, node, info, leaseMs, onError })
  // Half as often as streams and tasks are looked at.
  const isLost = keepAnswers(membership.isLost, heartbeatMs / 2)
  const keepMs = 6 * leaseMs
  const messages = createStoredMessages({ store, node, heartbeatMs, keepMs, onError })

  /** A store that is starting too is waited for. */
  async function startStore(): Promise<void> {
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

  async function close(): Promise<void> {
    messages.stop()
    await membership.stop()
    await store.close()
  }

  return {
    node,
    heartbeatMs,
    secrets,
    sessions: createStoredSessions(store),
    log: createStoredEventLog({ store, node, limits, isLost }),
    messages,
    once: store.once,
    tasks: createStoredTasks(store, { node, heartbeatMs, isLost }),
    values: createStoredValues(store),
    grants: createStoredGrants(store, secrets),
    budgets: store.budgets,
    health: membership.health,
    async start() {
      await startStore()
      await membership.start()
      await messages.start()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Without one only this process can open what it sealed. */
function secretsOf(
  secret: ClusterOptions['secret'] = randomBytes(32).toString('base64url'),
): () => readonly string[] {
  return () => [typeof secret === 'function' ? secret() : secret].flat()
}

function printError(error: unknown): void {
  console.error('the cluster:', error)
}

function printOnce(): (error: StoreUnavailable) => void {
  let isPrinted = false
  return ({ message }) => {
    if (!isPrinted)
      console.error(`the cluster's store cannot be reached yet: ${message}; trying again`)
    isPrinted = true
  }
}

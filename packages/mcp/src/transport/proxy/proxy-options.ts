import { revisionsOf } from '../../client/connection/classify-probe.ts'
import {
  defaultTimeouts,
  type ConnectOptions,
  type ReconnectOptions,
} from '../../client/options.ts'
import { systemClock, type Clock } from '../../rpc/clock.ts'
import { type OnError, guardedReport } from '../../rpc/errors/on-error.ts'
import { resolveLimits, type ResolvedLimits } from '../../rpc/limits.ts'
import type { RequestObserver } from '../../rpc/observer.ts'
import type { KnownEra, OpenTransport } from './open-upstream-session.ts'
import { createSeenTools, type SeenTools } from './seen-tools.ts'
import {
  createHostedTasks,
  type HostedTasks,
  type HostedTasksOptions,
} from './tasks/hosted-tasks.ts'

/** How a server is reached for its clients, and how much of it there may be. */
export interface ProxyOptions extends Pick<
  ConnectOptions,
  | 'auth'
  | 'clock'
  | 'protocolVersion'
  | 'fetch'
  | 'headers'
  | 'limits'
  | 'observer'
  | 'onError'
  | 'onStderr'
  | 'timeouts'
> {
  /**
   * Which clients share a connection to the server, and so a child process: only the requests of one session, all clients of
   * one user, or everybody. Clients without sessions share what belongs to their user. @defaultValue 'per-session'
   */
  readonly mode?: ProxyMode | undefined
  /**
   * How long requests wait for a server at an address that cannot be reached for a while.
   * @defaultValue until they time out, with 0.5–30 s between attempts
   */
  readonly reconnect?: ReconnectOptions | undefined
  /** Connections to the server at once; also the most children. @defaultValue 100 */
  readonly maxConnections?: number | undefined
  /** An unused connection is closed after this time. @defaultValue 300_000 */
  readonly idleMs?: number | undefined
  /** A connection is replaced at this age, as soon as no call uses it. @defaultValue 86_400_000 */
  readonly maxMs?: number | undefined
  /** How often a server that ends may be started again for one client. @defaultValue 5 times in 60_000 ms */
  readonly restarts?:
    | { readonly count?: number | undefined; readonly windowMs?: number | undefined }
    | undefined
  /**
   * Calls that wait for answers of clients of 2026-07-28, in front of a server of an older revision.
   * @defaultValue 1_000 in all, 32 of one caller, 600_000 ms each
   */
  readonly parked?:
    | { readonly [Limit in keyof ParkedLimits]?: ParkedLimits[Limit] | undefined }
    | undefined
  /**
   * How tasks are kept for clients whose revision has another kind of tasks than the server's.
   * @defaultValue as for `serverTasks()`
   */
  readonly tasks?: HostedTasksOptions | undefined
}

/** The clients that share a connection to the server. */
export type ProxyMode = 'shared' | 'per-session' | 'per-user'

/** How many calls may wait for an answer of their client, and for how long. */
export interface ParkedLimits {
  /** The most calls of all callers. @defaultValue 1_000 */
  readonly total: number
  /** The most calls of one caller. @defaultValue 32 */
  readonly perCaller: number
  /** How long one may wait, in milliseconds. @defaultValue 600_000 */
  readonly ms: number
}

/** The options with their defaults, and what all connections of one proxy share. */
export interface ProxySettings {
  readonly open: OpenTransport
  readonly mode: ProxyMode
  readonly maxConnections: number
  readonly idleMs: number
  readonly maxMs: number
  readonly restarts: { readonly count: number; readonly windowMs: number }
  readonly parked: ParkedLimits
  readonly revisions: readonly string[]
  readonly clock: Clock
  readonly limits: ResolvedLimits
  readonly timeouts: { readonly [Limit in keyof typeof defaultTimeouts]: number }
  readonly onError: OnError
  /** Watches what is sent to the server. */
  readonly observer: RequestObserver | undefined
  readonly known: KnownEra
  readonly tools: SeenTools
  readonly tasks: HostedTasks
}

export function resolveProxyOptions(open: OpenTransport, options: ProxyOptions): ProxySettings {
  const { timeouts = {}, parked = {}, restarts = {} } = options
  return {
    open,
    mode: options.mode ?? 'per-session',
    maxConnections: options.maxConnections ?? 100,
    idleMs: options.idleMs ?? 300_000,
    maxMs: options.maxMs ?? 86_400_000,
    restarts: { count: restarts.count ?? 5, windowMs: restarts.windowMs ?? 60_000 },
    parked: {
      total: parked.total ?? 1_000,
      perCaller: parked.perCaller ?? 32,
      ms: parked.ms ?? 600_000,
    },
    revisions: revisionsOf(options.protocolVersion),
    clock: options.clock ?? systemClock,
    limits: resolveLimits(options.limits),
    timeouts: {
      // Signing in takes as long as a person needs.
      connectMs: (timeouts.connectMs ?? defaultTimeouts.connectMs) + (options.auth?.signInMs ?? 0),
      probeMs: timeouts.probeMs ?? defaultTimeouts.probeMs,
      idleMs: timeouts.idleMs ?? defaultTimeouts.idleMs,
      totalMs: timeouts.totalMs ?? defaultTimeouts.totalMs,
      inputMs: timeouts.inputMs ?? defaultTimeouts.inputMs,
    },
    onError: guardedReport(options.onError ?? printError),
    observer: options.observer,
    known: {},
    tools: createSeenTools(),
    tasks: createHostedTasks(options.tasks),
  }
}

const printError: OnError = (error, { severity, operation }) => {
  console.error(`[${severity}]${operation === undefined ? '' : ` ${operation}:`}`, error)
}

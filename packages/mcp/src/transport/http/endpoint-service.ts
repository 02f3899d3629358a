import {
  systemClock,
  createDeadlines,
  createSharedTimer,
  type SharedTimer,
} from '../../rpc/clock.ts'
import { guardedReport } from '../../rpc/errors/on-error.ts'
import { resolveServerLimits } from '../../rpc/limits.ts'
import { createMemoryBudget, type MemoryBudget } from '../../rpc/memory-budget.ts'
import type { Definition } from '../../server/definition.ts'
import { stateSecretsFor } from '../../server/input/request-state.ts'
import type { SessionService } from '../../server/sessions/server-session.ts'
import { erasOf } from '../../server/sessions/session-state.ts'
import { newestFirst, spokenRevisions } from '../../wire/features.ts'
import { Authorizations } from './admission/authorizations.ts'
import {
  createConcurrencyLimit,
  requestLimits,
  withShare,
  type ConcurrencyLimit,
} from './admission/capacity.ts'
import { isAnonymous } from './admitted-request.ts'
import {
  createClusterMail,
  type ClusterMail,
  createHandOn,
  type Forward,
} from './cluster/messages.ts'
import { shareStates } from './cluster/requests.ts'
import { resolveHttpOptions, type HttpOptions } from './http-options.ts'
import type { BodyLimits } from './runtime/exchange.ts'
import type { OutputRules } from './runtime/waiting-output.ts'
import { sweepMs, createSessions, type Sessions } from './sessions.ts'
import { createStandaloneRequests, type StandaloneRequests } from './standalone-requests.ts'
import type { EventLog } from './streams/event-log.ts'
import { createMemoryEventLog } from './streams/memory-event-log.ts'
import { createTrace, type Trace } from './trace.ts'

/** What all requests of one endpoint share, except its sessions. */
export interface SharedService extends SessionService {
  readonly settings: ReturnType<typeof resolveHttpOptions>
  readonly revisions: readonly string[]
  /** Undefined where nobody watches the messages. */
  readonly trace: Trace | undefined
  /** What callers make this process hold. */
  readonly bytes: MemoryBudget
  readonly bodyLimits: BodyLimits
  /** Ends what outlives the authorization of its caller. */
  readonly authorizations: Authorizations
  readonly outputRules: OutputRules
  /** Requests in flight, of callers that no session counts. */
  readonly callers: ConcurrencyLimit
  /** Events kept for resuming; undefined keeps none. */
  readonly log: EventLog | undefined
  /** From and to the other processes of the cluster; undefined without one. */
  readonly mail: ClusterMail | undefined
  /** Set where there is mail. */
  readonly forward: Forward | undefined
  /** An answer that takes longer becomes an event stream, so that no proxy takes it for dead. */
  readonly streamAfter: SharedTimer
  /** A stream is released after so long, if its reader can come back; undefined is never. */
  readonly releaseAfter: SharedTimer | undefined
  /** Set when the server shuts down: there will be no more requests. */
  isDraining: boolean
  /** Ends a session for every process; set by whoever keeps the sessions. */
  endSession?: Sessions['end']
}

/** Everything of one endpoint: each function takes this value, not a set-up of its own. */
export interface EndpointService extends SharedService {
  readonly sessions: Sessions
  /** Requests without a session; undefined where no spoken revision has them. */
  readonly modern: StandaloneRequests | undefined
}

export function createService(definition: Definition, options: HttpOptions): EndpointService {
  const { clock = systemClock, revisions = spokenRevisions, auth: guard } = options
  const settings = resolveHttpOptions(options)
  const { replay, pollMs, outputMs, bodyMs, messageBytes } = settings
  const whole = { ...resolveServerLimits(options.limits), messageBytes }
  const limits = withShare(whole, settings.cluster?.share)
  const onError = guardedReport(options.onError ?? definition.settings.onError)
  const bytes = createMemoryBudget({
    ...limits,
    isAnonymous,
    // Where there are verified callers, anonymous ones leave room for them.
    anonymousBytes: guard === undefined ? limits.totalBytes : limits.totalBytes / 2,
  })
  const states = stateSecretsFor(definition, options)
  const mail = settings.cluster && createClusterMail(settings.cluster, { clock, onError })
  const charge = { account: bytes, callerOf: (id: string) => sessions.accountOf(id) }
  const deadlines = createDeadlines(clock, timeOut, sweepMs)
  const shared: SharedService = {
    definition,
    settings,
    limits,
    revisions,
    supported: newestFirst(revisions),
    eras: erasOf(revisions),
    isLocal: false,
    keepsProgressApart: false,
    clock,
    onError,
    trace: options.onMessage && createTrace(options.onMessage, { clock, limits, onError }),
    stateSecrets: settings.cluster ? shareStates(states, settings.cluster, onError) : states,
    bytes,
    authorizations: new Authorizations(guard, clock),
    bodyLimits: {
      maxBytes: messageBytes,
      timeoutMs: bodyMs,
      timer: createSharedTimer(clock, bodyMs),
    },
    outputRules: {
      account: bytes,
      outputMs,
      timer: createSharedTimer(clock, outputMs),
      onCut(why) {
        onError(why, { severity: 'warning', operation: 'http' })
        settings.cluster?.metrics?.readerCut()
      },
    },
    callers: createConcurrencyLimit(requestLimits(limits)),
    log:
      replay === false
        ? undefined
        : (settings.cluster?.log ?? createMemoryEventLog(replay, clock, charge)),
    mail,
    forward: mail && createHandOn({ bytes, onError, clock }, mail),
    streamAfter: createSharedTimer(clock, settings.keepAliveMs),
    releaseAfter: pollMs === undefined ? undefined : createSharedTimer(clock, pollMs),
    keepTime: deadlines.arm,
    isDraining: false,
  }
  const sessions = createSessions(shared)
  const modern = createStandaloneRequests(shared)

  function timeOut(now: number): number {
    return Math.min(sessions.timeOut(now), modern?.timeOut(now) ?? Infinity)
  }

  return Object.assign(shared, { sessions, modern })
}

/**
 * Everything that the requests of one HTTP endpoint share: the definition, limits, secrets and timers, the sessions, the requests
 * without a session, and this process in its cluster.
 *
 * Created once for each endpoint and passed to every function that handles a request, so that none of them has options of its
 * own. `HttpEndpoint` routes requests to it; it is the `SessionService` of every session over HTTP.
 */
import {
  systemClock,
  createDeadlines,
  createSharedTimer,
  type Clock,
  type SharedTimer,
} from '../../rpc/clock.ts'
import { guardedReport, type OnError } from '../../rpc/errors/on-error.ts'
import { resolveServerLimits, type ServerLimits } from '../../rpc/limits.ts'
import { createMemoryBudget, type MemoryBudget } from '../../rpc/memory-budget.ts'
import type { Definition } from '../../server/definition.ts'
import { followersOf, type Followers } from '../../server/followers.ts'
import { stateSecretsFor, type StateSecrets } from '../../server/input/request-state.ts'
import type { SessionService } from '../../server/sessions/server-session.ts'
import { erasOf, type Eras } from '../../server/sessions/session-state.ts'
import { newestFirst, supportedRevisions } from '../../wire/features.ts'
import { Authorizations } from './admission/authorizations.ts'
import {
  createConcurrencyLimit,
  requestLimits,
  type ConcurrencyLimit,
} from './admission/capacity.ts'
import { createOverload, type Overload } from './admission/overload.ts'
import { isAnonymous } from './admitted-request.ts'
import { createClusterNode, shareLimits, type ClusterNode } from './cluster/cluster-node.ts'
import { resolveHttpOptions, type HttpOptions } from './http-options.ts'
import type { BodyLimits } from './runtime/exchange.ts'
import type { OutputRules } from './runtime/waiting-output.ts'
import { createSessionTable, sweepMs, type SessionTable } from './sessions/session-table.ts'
import { createStandaloneRequests, type StandaloneRequests } from './standalone-requests.ts'
import type { EventLog } from './streams/event-log.ts'
import { createMemoryEventLog } from './streams/memory-event-log.ts'
import { createTrace, type Trace } from './trace.ts'

/** See the head of this file. */
export class EndpointService implements SessionService {
  readonly definition: Definition
  readonly settings: ReturnType<typeof resolveHttpOptions>
  readonly revisions: readonly string[]
  readonly supported: readonly string[]
  readonly eras: Eras
  readonly isLocal = false
  readonly separatesProgress = false
  readonly clock: Clock
  readonly limits: ServerLimits
  readonly onError: OnError
  readonly stateSecrets: StateSecrets
  readonly keepTime: (dueAt: number) => void
  /** Undefined if messages are not traced. */
  readonly trace: Trace | undefined
  /** Bytes that callers make this process keep. */
  readonly memory: MemoryBudget
  readonly bodyLimits: BodyLimits
  /** Ends what outlives the authorization of its caller. */
  readonly authorizations: Authorizations
  readonly outputRules: OutputRules
  /** Requests in flight of callers whose requests no session counts. */
  readonly concurrency: ConcurrencyLimit
  /** This process among others that serve the same endpoint. */
  readonly cluster: ClusterNode
  /** Events for readers that resume a stream; undefined keeps none. */
  readonly log: EventLog | undefined
  /** A response that takes longer becomes an event stream, so that no proxy drops a silent connection. */
  readonly streamAfter: SharedTimer
  /** Closes a stream after so long if its reader can come back; undefined is never. */
  readonly releaseAfter: SharedTimer | undefined
  readonly sessions: SessionTable
  /** Refuses new work when there is too much; undefined where it may take as long as it takes. */
  readonly overload: Overload | undefined
  /** Who is told of changes of the server. */
  readonly followers: Followers
  readonly standalone: StandaloneRequests
  /** True when the server shuts down: new requests are rejected. */
  isDraining = false

  constructor(definition: Definition, options: HttpOptions) {
    const { clock = systemClock, revisions = supportedRevisions, auth: guard } = options
    const settings = resolveHttpOptions(options)
    const { replay, pollMs, outputMs, bodyMs, messageBytes, maxLateMs: allowedMs } = settings
    const onError = guardedReport(options.onError ?? definition.settings.onError)
    const limits = shareLimits(
      { ...resolveServerLimits(options.limits), messageBytes },
      settings.cluster?.share,
    )
    this.definition = definition
    this.settings = settings
    this.revisions = revisions
    this.supported = newestFirst(revisions)
    this.eras = erasOf(revisions)
    this.clock = clock
    this.limits = limits
    this.onError = onError
    this.trace = options.onMessage && createTrace(options.onMessage, { clock, limits, onError })
    this.memory = createMemoryBudget({
      ...limits,
      isAnonymous,
      // Anonymous callers leave capacity for verified ones.
      anonymousBytes: guard === undefined ? limits.totalBytes : limits.totalBytes / 2,
    })
    this.authorizations = new Authorizations(guard, clock)
    this.bodyLimits = {
      maxBytes: messageBytes,
      timeoutMs: bodyMs,
      timer: createSharedTimer(clock, bodyMs),
    }
    this.concurrency = createConcurrencyLimit(requestLimits(limits))
    this.streamAfter = createSharedTimer(clock, settings.keepAliveMs)
    this.releaseAfter = pollMs === undefined ? undefined : createSharedTimer(clock, pollMs)
    this.overload = allowedMs === undefined ? undefined : createOverload({ clock, allowedMs })
    this.followers = followersOf(definition, clock)
    if (settings.cluster) this.followers.expectRepeats()
    this.cluster = createClusterNode(settings.cluster, this)
    this.stateSecrets = this.cluster.shareStates(stateSecretsFor(definition, options))
    this.outputRules = {
      quotaKey: this.memory,
      outputMs,
      timer: createSharedTimer(clock, outputMs),
      onCut: (why) => {
        onError(why, { severity: 'warning', operation: 'http' })
        this.cluster.metrics.readerCut()
      },
    }
    const charge = {
      quotaKey: this.memory,
      callerOf: (key: string) => this.sessions.byKey(key)?.quotaKey ?? '',
    }
    this.log =
      replay === false
        ? undefined
        : (this.cluster.log ?? createMemoryEventLog(replay, clock, charge))
    this.sessions = createSessionTable(this)
    this.standalone = createStandaloneRequests(this)
    this.keepTime = createDeadlines(
      clock,
      (now) => Math.min(this.sessions.timeOut(now), this.standalone.timeOut(now)),
      sweepMs,
    ).arm
  }
}

/**
 * This process among those that serve the same endpoint.
 *
 * The rest of `transport/http` knows other processes only by the `ClusterNode` of its `EndpointService`: it asks the node for
 * session ids, for sessions that are not known here, and to tell the others what they must know. Without a cluster there is a
 * node too: it finds nothing, tells nobody and answers at once, so that no other file has to distinguish the two.
 *
 * `shared-sessions.ts` and `records.ts` keep sessions in the shared store, `messages.ts` sends and receives messages,
 * `shared-changes.ts` announces changes of the server, `sse-posts.ts` forwards posts of HTTP+SSE. `cluster.ts` is the interface
 * that a store implements.
 */
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { ServerLimits } from '../../../rpc/limits.ts'
import { errorResponse, type RequestId } from '../../../rpc/message.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { ClientDescription } from '../../../server/initialize.ts'
import type { SingleUseSet, StateSecrets } from '../../../server/input/request-state.ts'
import type { ResponseReceiver } from '../../../server/sessions/server-session.ts'
import type { Codec } from '../../../wire/codec.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'
import type { EndpointService } from '../endpoint-service.ts'
import type { Claim } from '../session-streams.ts'
import type { HttpSession } from '../sessions/http-session.ts'
import { randomId } from '../sessions/random-id.ts'
import { afterStore } from '../sessions/store-access.ts'
import type { EventLog } from '../streams/event-log.ts'
import type { Cluster, ClusterHealth, ClusterMetrics } from './cluster.ts'
import { createClusterMessages, createForward, receiveClusterMessages } from './messages.ts'
import { firstRecord, sessionNotFound, updateLocally, type UpdateSession } from './records.ts'
import {
  createSharedSessions,
  keyIn,
  type NamedSession,
  type SessionCaller,
} from './shared-sessions.ts'
import { createSsePosts, type SsePosts, type TakePost } from './sse-posts.ts'

/** See the head of this file. */
export interface ClusterNode extends Disposable {
  /** True if another process can go on with a session that this one drops. */
  readonly canRestoreSessions: boolean
  /** False if the processes keep the limits on sessions together: then each counts only those that it opened. */
  readonly countsRestoredSessions: boolean
  /** The part of the limits on calls and sessions that this process has, from 0 to 1. */
  share(): number
  /** Bytes that the id of a session needs. */
  readonly sessionIdBytes: number
  /** The part of a session id that names the session to all processes. */
  keyOf(id: string): string
  /** Stands before the number in ids of requests to clients, so that any process can receive the response. */
  readonly requestIdPrefix: string | undefined
  /** The number after which requests of a session are counted: a session that is restored must not use its numbers again. */
  firstRequestNumber(): number
  /** The log of all processes. Undefined: each keeps its own. */
  readonly log: EventLog | undefined
  /** How often a stream that another process writes is polled. */
  readonly pollMs: number | undefined
  readonly metrics: Pick<ClusterMetrics, 'readerCut' | 'watchStreams'>
  /** Undefined without other processes. */
  health(): ClusterHealth | undefined
  /** Makes request states usable at every process, and only once. */
  shareStates(states: StateSecrets): StateSecrets

  /** Names a new session. Throws 503 if the store is unreachable. */
  createSessionId(
    client: ClientDescription,
    codec: Codec,
    principal: string,
  ): MaybePromise<NamedSession>
  /** Finds a session of this caller; `cached` is the one that this process knows. Undefined if there is none. */
  findSession(
    id: string,
    caller: SessionCaller,
    cached: () => HttpSession | undefined,
  ): MaybePromise<HttpSession | undefined>
  /** Changes the data of a session at every process. */
  readonly updateSession: UpdateSession
  /** Ends a session at every process. Throws 503 if the store is unreachable. */
  endSession(session: HttpSession, why: string): MaybePromise<void>
  /** Called when a session was added here. */
  watchSessions(): void

  /** Receives the responses of a client; those that another process waits for are forwarded to it. */
  responsesOf(session: HttpSession): ResponseReceiver
  /** Cancels a request that another process is handling. */
  cancelRemote(
    session: HttpSession,
    requestId: RequestId,
    reason: string | undefined,
  ): MaybePromise<void>
  /** Announces that the client of a session is about to listen here. Throws 429 or 503 if that is impossible. */
  claimListener(session: HttpSession): MaybePromise<Claim | undefined>
  /** Sends a message to the process where the client of a session listens. */
  notifyListener(session: HttpSession, message: JsonObject): void
  /** Sends what other processes do not know yet, before this one stops. */
  announcePending(): void
  /** Forwards posts of HTTP+SSE; `take` handles those that other processes forward. */
  createSsePosts(take: TakePost): SsePosts
}

/** Creates the node of an endpoint; without a cluster the one of a single process. */
export function createClusterNode(
  cluster: Cluster | undefined,
  service: EndpointService,
): ClusterNode {
  return cluster === undefined ? createSingleProcess(service) : joinCluster(cluster, service)
}

/** The limits of this process: its part of `inFlight`, where the processes keep that together. */
export function shareLimits<Limits extends Pick<ServerLimits, 'inFlight'>>(
  limits: Limits,
  share: (() => number) | undefined,
): Limits {
  if (share === undefined) return limits
  const whole = limits.inFlight
  return {
    ...limits,
    get inFlight() {
      return Math.max(1, Math.ceil(whole * share()))
    },
  }
}

function createSingleProcess(service: EndpointService): ClusterNode {
  return {
    canRestoreSessions: false,
    countsRestoredSessions: true,
    share: () => 1,
    sessionIdBytes: 0,
    keyOf: (id) => id,
    requestIdPrefix: undefined,
    firstRequestNumber: () => 0,
    log: undefined,
    pollMs: undefined,
    metrics: { readerCut: () => undefined, watchStreams: () => nothingToDispose },
    health: () => undefined,
    shareStates: (states) => states,
    createSessionId() {
      const id = randomId()
      return { names: { key: id, id }, record: firstRecord }
    },
    findSession: (_id, _caller, cached) => cached(),
    updateSession: updateLocally,
    endSession: (session, why) => service.sessions.endHere(session, why),
    watchSessions: () => undefined,
    responsesOf: (session) => session.clientRequests,
    cancelRemote: () => undefined,
    claimListener: () => undefined,
    notifyListener: () => undefined,
    announcePending: () => undefined,
    createSsePosts: () => ({
      canForward: false,
      nameFor: async () => randomId(),
      forward: () => Promise.reject(sessionNotFound()),
    }),
    [Symbol.dispose]: () => undefined,
  }
}

const nothingToDispose: Disposable = { [Symbol.dispose]: () => undefined }

/** The longest id and reason of a cancelled request that other processes are told. */
const maxTextLength = 1_000

function joinCluster(cluster: Cluster, service: EndpointService): ClusterNode {
  const { share, log, metrics, heartbeatMs, node } = cluster
  const messages = createClusterMessages(cluster, service)
  const forward = createForward(service, messages)
  const sessions = createSharedSessions(service, cluster, messages)
  const receiving = receiveClusterMessages(service, cluster, messages)

  return {
    canRestoreSessions: true,
    countsRestoredSessions: share === undefined,
    share: () => share?.() ?? 1,
    sessionIdBytes: 1_024,
    keyOf: keyIn,
    requestIdPrefix: `${node}.`,
    firstRequestNumber: () => Math.floor(Math.random() * 2 ** 29),
    log,
    pollMs: heartbeatMs,
    metrics: {
      readerCut: () => metrics?.readerCut(),
      watchStreams: (count) => metrics?.watchStreams(count) ?? nothingToDispose,
    },
    health: () => cluster.health(),
    shareStates: (states) => ({
      ...states,
      secrets: states.secrets ?? cluster.secrets,
      used: reportingOutages(cluster.once, service),
    }),

    createSessionId: sessions.name,
    findSession: sessions.find,
    updateSession: sessions.change,
    endSession: sessions.end,
    watchSessions: sessions.watch,

    responsesOf({ key, quotaKey, clientRequests }) {
      const forwardTo = (to: string, message: object): MaybePromise<void> =>
        forward(quotaKey, 'from-client', { key, message: message as JsonObject }, to) // messages are JSON
      return {
        response(message) {
          const other = otherProcess(message.id)
          if (other === undefined) return clientRequests.response(message)
          const { id } = message
          const response =
            message.kind === 'result'
              ? { jsonrpc: '2.0', id, result: message.result }
              : errorResponse(id, message.error)
          return forwardTo(other, response)
        },
        unreadable(message) {
          const other = otherProcess(message.id)
          if (other === undefined) return clientRequests.unreadable(message)
          return forwardTo(other, errorResponse(message.id, encodeWireError(message.error)))
        },
        progressed(params) {
          const other = otherProcess(params['progressToken'])
          if (other === undefined) return clientRequests.progressed(params)
          return forwardTo(other, { jsonrpc: '2.0', method: 'notifications/progress', params })
        },
      }
    },

    cancelRemote({ key, quotaKey }, requestId, reason) {
      if (typeof requestId === 'string' && requestId.length > maxTextLength) return
      const why = reason !== undefined && { reason: reason.slice(0, maxTextLength) }
      return forward(quotaKey, 'request-cancelled', { key, requestId, ...why })
    },

    claimListener({ key, quotaKey, streams: { listeners } }) {
      const claim = listeners.claim()
      return afterStore(
        () => forward(quotaKey, 'listening', { key, node, listener: claim.id }),
        () => claim,
        (error) => {
          listeners.drop(claim)
          throw error
        },
      )
    },

    notifyListener: ({ key }, message) => void messages.notify('for-listener', { key, message }),

    announcePending: () => receiving[Symbol.dispose](),
    createSsePosts: (take) => createSsePosts({ service, cluster, messages, forward }, take),

    [Symbol.dispose]() {
      sessions[Symbol.dispose]()
      messages[Symbol.dispose]()
    },
  }

  /** The process that waits for a response with this id, if that is not this one. */
  function otherProcess(id: unknown): string | undefined {
    const [, named] = (typeof id === 'string' && idWithProcess.exec(id)) || []
    return named === node ? undefined : named
  }
}

/** Names of processes are letters and digits. */
const idWithProcess = /^([0-9A-Za-z]{1,40})\.\d{1,16}$/

/** An unreachable store is not an error of the call. */
function reportingOutages(
  once: SingleUseSet,
  { onError }: Pick<EndpointService, 'onError'>,
): SingleUseSet {
  return {
    async add(key, ttlMs) {
      try {
        return await once.add(key, ttlMs)
      } catch (error) {
        onError(error, { severity: 'error', operation: 'store' })
        const why =
          'the store that knows which requestState has been used is unreachable: call again later'
        throw new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
      }
    },
  }
}

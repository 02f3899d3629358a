/**
 * The backend of subscriptions for servers of the modern era: each is a `subscriptions/listen` request that stays open, and the
 * server marks with its id what belongs to it. Client (`modern-subscriptions.ts`) and proxy (`transport/proxy/upstream-subscriptions.ts`)
 * use it; when a listen has ended, they decide whether to send another. For servers with sessions there is
 * `subscribe-backend.ts`.
 *
 * Guarantees: a message reaches a listen only over the connection on which it was sent; a listen that is not acknowledged in
 * time ends.
 */

import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { Notification, RequestId } from '../../rpc/message.ts'
import { anySignal } from '../../rpc/signals.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { acknowledgedParams, type SubscriptionFilter } from '../../schema/subscriptions.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import { peerOf } from '../connection/attempt.ts'
import type { ModernSession } from '../connection/session.ts'

/** The open listens of one client. */
export interface ListenBackend {
  /** Sends the request. */
  start(session: ModernSession, options: ListenOptions): Listen
  /** Hands a notification to the listen that it belongs to. False if it belongs to none, nor ever did. */
  take(notification: Notification, connection: Connection): boolean
}

/** One `subscriptions/listen`. */
export interface Listen {
  readonly session: ModernSession
  /** Resolves with the part of the filter that the server accepted; rejects if it does not acknowledge. */
  readonly acknowledged: Promise<SubscriptionFilter>
  /** Resolves when the server ended it, rejects when it broke, was rejected or cancelled. */
  readonly ended: Promise<void>
}

export interface ListenOptions {
  readonly filter: SubscriptionFilter
  readonly meta: JsonObject
  /** Ends it, and tells the server. */
  readonly signal: AbortSignal
  /** How long the acknowledgement may take. */
  readonly acknowledgeMs: number
  /** Called in the order of arrival: before any message that follows the acknowledgement. */
  readonly onAcknowledged?: ((accepted: SubscriptionFilter) => void) | undefined
  /** Called for every other message of the listen. */
  readonly onMessage: (notification: Notification, isAcknowledged: boolean) => void
}

/** Where the messages of one listen go. */
interface Route {
  readonly connection: Connection
  isAcknowledged: boolean
  acknowledge(accepted: SubscriptionFilter): void
  onMessage(notification: Notification): void
}

export function createListenBackend(clock: Clock): ListenBackend {
  const routes = new Map<RequestId, Route>()

  function start(session: ModernSession, options: ListenOptions): Listen {
    const { filter, meta: _meta, acknowledgeMs } = options
    const late = new AbortController()
    let id: RequestId | undefined
    let settle: ((accepted: SubscriptionFilter) => void) | undefined
    const route: Route = {
      connection: session.connection,
      isAcknowledged: false,
      acknowledge(accepted) {
        if (route.isAcknowledged) return
        route.isAcknowledged = true
        timer[Symbol.dispose]()
        const agreed = common(filter, accepted)
        options.onAcknowledged?.(agreed)
        settle?.(agreed)
      },
      onMessage: (notification) => options.onMessage(notification, route.isAcknowledged),
    }
    const timer = clock.setTimer(
      () => late.abort(notAcknowledged(session, acknowledgeMs)),
      acknowledgeMs,
    )
    const params = { notifications: filter, _meta } as unknown as JsonObject // a filter is JSON
    const ended = session.connection
      .request('subscriptions/listen', params, {
        idleMs: Infinity,
        totalMs: Infinity,
        signal: anySignal(late.signal, options.signal),
        onSent(sent) {
          id = sent
          routes.set(sent, route)
        },
      })
      .then(() => undefined)
      .finally(() => {
        timer[Symbol.dispose]()
        if (id !== undefined && routes.get(id) === route) routes.delete(id)
      })
    const acknowledged = new Promise<SubscriptionFilter>((resolve, reject) => {
      settle = resolve
      ended.then(() => reject(endedAtOnce(session)), reject)
    })
    acknowledged.catch(() => undefined) // callers may wait for the end only
    return { session, acknowledged, ended }
  }

  return {
    start,
    take(notification, connection) {
      const { method, params } = notification
      if (method === 'notifications/cancelled') {
        const id = params['requestId'] as RequestId // looked up, not trusted
        if (routes.get(id)?.connection !== connection) return false
        connection.drop(id, endedByServer)
        return true
      }
      const tag = tagOf(params)
      if (tag === undefined) return false
      const route = routes.get(tag)
      if (route?.connection !== connection) return true // of a listen that has just ended
      if (method !== 'notifications/subscriptions/acknowledged') route.onMessage(notification)
      else if (acknowledgedParams(params) === undefined) {
        route.acknowledge(params['notifications'] as SubscriptionFilter) // just checked
      }
      return true
    },
  }
}

/** The reason of a listen that the server ended by `notifications/cancelled`, which servers use for nothing else. */
export const endedByServer = new McpError('cancelled', 'the server ended the subscription', {
  details: { by: 'caller' },
})

/** The id of the listen that a message belongs to. */
function tagOf(params: JsonObject): RequestId | undefined {
  const meta = params['_meta']
  const tag = isJsonObject(meta) ? meta[metaKeys.subscription] : undefined
  return typeof tag === 'string' || typeof tag === 'number' ? tag : undefined
}

/** Returns the part of the filter that was requested and accepted. The server may write URIs in its own way. */
function common(requested: SubscriptionFilter, accepted: SubscriptionFilter): SubscriptionFilter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged } = accepted
  const { resourceSubscriptions, taskIds } = accepted
  return {
    ...(requested.toolsListChanged && toolsListChanged && { toolsListChanged }),
    ...(requested.promptsListChanged && promptsListChanged && { promptsListChanged }),
    ...(requested.resourcesListChanged && resourcesListChanged && { resourcesListChanged }),
    ...(requested.resourceSubscriptions && resourceSubscriptions && { resourceSubscriptions }),
    ...(requested.taskIds && taskIds && { taskIds }),
  }
}

function notAcknowledged(session: ModernSession, ms: number): McpError {
  return new McpError('timeout', `subscriptions/listen was not acknowledged within ${ms} ms`, {
    details: { limit: 'idle', ms },
    peer: peerOf(session),
  })
}

function endedAtOnce(session: ModernSession): McpError {
  const why = 'subscriptions/listen was answered without being acknowledged'
  return new McpError('invalid_message', why, { details: { excerpt: why }, peer: peerOf(session) })
}

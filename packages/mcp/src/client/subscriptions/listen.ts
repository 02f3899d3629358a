import type { Clock } from '../../rpc/clock.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { RequestId } from '../../rpc/message.ts'
import { anySignal } from '../../rpc/signals.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import { peerOf } from '../connection/attempt.ts'
import type { ModernSession } from '../connection/session.ts'
import { wants, type ServerChange } from './changes.ts'

/** One `subscriptions/listen`: a request that stays open, and what arrives for it. */
export interface Listen {
  readonly session: ModernSession
  /** What the server will tell; rejects if it does not agree. */
  readonly acknowledged: Promise<SubscriptionFilter>
  /** Resolves when the server ended it, rejects when it broke or was refused. */
  readonly ended: Promise<void>
}

/** Where the messages of one listen go. */
export interface Route {
  readonly session: ModernSession
  /** What was asked for. */
  readonly filter: SubscriptionFilter
  acknowledge(accepted: SubscriptionFilter): void
  change(change: ServerChange): void
}

export interface ListenOptions {
  readonly filter: SubscriptionFilter
  readonly meta: JsonObject
  /** Ends it, and tells the server. */
  readonly signal: AbortSignal
  readonly routes: Map<RequestId, Route>
  readonly clock: Clock
  /** How long the acknowledgement may take. */
  readonly acknowledgeMs: number
  /** In the order of arrival: the acknowledgement first, nothing before it. */
  readonly onAcknowledged: (accepted: SubscriptionFilter) => void
  readonly onChange: (change: ServerChange) => void
}

/** Sends the request; its id is how the server marks what belongs to it. */
export function startListen(session: ModernSession, options: ListenOptions): Listen {
  const { filter, meta: _meta, routes, clock, acknowledgeMs } = options
  const timeout = new AbortController()
  let id: RequestId | undefined
  let isAcknowledged = false
  let onAccepted: ((accepted: SubscriptionFilter) => void) | undefined
  const route: Route = {
    session,
    filter,
    acknowledge(accepted) {
      if (isAcknowledged) return
      isAcknowledged = true
      timer[Symbol.dispose]()
      const agreed = common(filter, accepted)
      options.onAcknowledged(agreed)
      onAccepted?.(agreed)
    },
    change(change) {
      if (isAcknowledged && wants(filter, change)) options.onChange(change)
    },
  }
  const timer = clock.setTimer(
    () => timeout.abort(notAcknowledged(session, acknowledgeMs)),
    acknowledgeMs,
  )
  const params = { notifications: filter, _meta } as unknown as JsonObject // a filter is JSON
  const ended = session.connection
    .request('subscriptions/listen', params, {
      idleMs: Infinity,
      totalMs: Infinity,
      signal: anySignal(timeout.signal, options.signal),
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
    onAccepted = resolve
    ended.then(() => reject(endedAtOnce(session)), reject)
  })
  acknowledged.catch(() => undefined) // who waits for the end only is told there
  return { session, acknowledged, ended }
}

/** What was requested and granted. The server may write URIs in its own way. */
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

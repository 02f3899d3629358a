/**
 * Subscriptions of a client to a server of the modern era. Each is a `subscriptions/listen` request (`listen-backend.ts`); this
 * file sends it again when it breaks, with growing pauses, until the server rejects it, and tells the reader of the
 * subscription that it may have missed something. A subscription that meets a server with sessions after a reconnect is handed
 * to `legacy-subscriptions.ts`; `listeners.ts` has both.
 */

import { createBackoff } from '../../rpc/backoff.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { Notification } from '../../rpc/message.ts'
import { sleep } from '../../rpc/signals.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { ClientSession, ModernSession } from '../connection/session.ts'
import {
  createChangeQueue,
  wants,
  wholesOf,
  type ServerChange,
  type ChangeQueue,
  type Subscription,
} from './changes.ts'
import { createListenBackend, endedByServer, type Listen } from './listen-backend.ts'
import { changeOf } from './notifications.ts'

/** Subscriptions of the modern era: each is a `subscriptions/listen` request, sent again when it breaks. */
export interface ModernSubscriptions {
  /** Resolves when the server has acknowledged. */
  open(filter: SubscriptionFilter, limits: ListenLimits): Promise<Subscription>
  /** Goes on with a subscription that began in another era. */
  adopt(filter: SubscriptionFilter, queue: ChangeQueue): void
  /** Takes what belongs to a subscription; everything else is not ours. */
  onNotification(notification: Notification, connection: Connection): void
  end(): void
}

export interface ListenLimits {
  readonly signal?: AbortSignal | undefined
  /** How long the acknowledgement may take. */
  readonly ms: number
}

export interface ModernSubscriptionsContext {
  /** The session in use, now or when there is one again. */
  readonly session: () => ClientSession | Promise<ClientSession>
  readonly envelope: (revision: string) => JsonObject
  /** Continues a subscription with a server of the legacy era. */
  readonly handOver: (filter: SubscriptionFilter, queue: ChangeQueue) => Promise<void>
  /** Called for every change, whether subscribed to or not. */
  readonly onChange: (change: ServerChange) => void
  /** A subscription is down although the connection works, with the cause; called without one when all work again. */
  readonly onDisconnected: (cause: McpError | undefined) => void
  readonly acknowledgeMs: number
  readonly clock: Clock
  readonly onError: OnError
}

interface Listener {
  readonly filter: SubscriptionFilter
  readonly queue: ChangeQueue
  readonly stop: AbortController
  accepted: SubscriptionFilter
}

export function createModernSubscriptions(parts: ModernSubscriptionsContext): ModernSubscriptions {
  const { clock, onError } = parts
  const backend = createListenBackend(clock)
  const listeners = new Set<Listener>()
  const unsent = new Set<Listener>()

  function enlist(filter: SubscriptionFilter, queue: ChangeQueue): Listener {
    const listener: Listener = { filter, queue, stop: new AbortController(), accepted: {} }
    listeners.add(listener)
    queue.onEnd(() => {
      listeners.delete(listener)
      noteReported(listener)
      listener.stop.abort(new McpError('cancelled', 'there are no listeners left', byCaller))
    })
    return listener
  }

  function noteReported(listener: Listener): void {
    if (unsent.delete(listener) && unsent.size === 0) parts.onDisconnected(undefined)
  }

  function start(
    session: ModernSession,
    listener: Listener,
    isAgain: boolean,
    acknowledgeMs: number,
  ): Listen {
    const { filter, queue, stop } = listener
    return backend.start(session, {
      filter,
      meta: parts.envelope(session.codec.revision),
      signal: stop.signal,
      acknowledgeMs,
      onAcknowledged(accepted) {
        listener.accepted = accepted
        if (!isAgain) return
        noteReported(listener)
        parts.onChange({ type: 'gap' })
        queue.put({ type: 'gap' })
      },
      onMessage(notification, isAcknowledged) {
        const change = changeOf(notification)
        if (change === undefined) return
        parts.onChange(change)
        if (change.type === 'resource') {
          const { resourceSubscriptions: uris = [] } = filter
          for (const uri of wholesOf(change.uri, uris)) parts.onChange({ type: 'resource', uri })
        }
        if (isAcknowledged && wants(filter, change)) queue.put(change)
      },
    })
  }

  /** Keeps a subscription open: sends the request again when it ends, until the server refuses it. */
  async function keep(listener: Listener, first: Listen | undefined): Promise<void> {
    const backoff = createBackoff({ clock, minDelayMs: 500, maxDelayMs: 30_000 })
    let listen = first
    try {
      for (;;) {
        const reason = listen && (await endOf(listen))
        if (listener.stop.signal.aborted) return
        if (isRejection(reason)) throw reason
        const session = await renewed(listener, listen, reason, backoff.next)
        if (listener.stop.signal.aborted) return
        if (session.kind === 'legacy') {
          listeners.delete(listener)
          return await parts.handOver(listener.filter, listener.queue)
        }
        listen = start(session, listener, true, parts.acknowledgeMs)
        await listen.acknowledged.then(backoff.succeeded, () => undefined) // its end says why
      }
    } catch (error) {
      if (listener.stop.signal.aborted) return
      if (!isMcpError(error, 'closed')) onError(error, rejectedReport)
      listener.queue.end()
    }
  }

  /** The session in use, after a pause if the subscription just failed in it. */
  async function renewed(
    listener: Listener,
    failed: Listen | undefined,
    reason: unknown,
    nextDelay: () => number,
  ): Promise<ClientSession> {
    const session = await parts.session()
    if (session !== failed?.session) return session
    unsent.add(listener)
    parts.onDisconnected(isMcpError(reason) ? reason : notTold(reason))
    await sleep(nextDelay(), { clock, signal: listener.stop.signal })
    return parts.session()
  }

  return {
    async open(filter, { ms, signal }) {
      signal?.throwIfAborted()
      const session = await parts.session()
      if (session.kind === 'legacy') throw new TypeError('this session is listened to otherwise')
      const queue = createChangeQueue()
      const listener = enlist(filter, queue)
      const abort = (): void => listener.stop.abort(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      try {
        const listen = start(session, listener, false, ms)
        listen.ended.catch(() => undefined) // looked at by `keep`
        await listen.acknowledged
        void keep(listener, listen)
      } catch (error) {
        queue.end()
        throw error
      } finally {
        signal?.removeEventListener('abort', abort)
      }
      return {
        get accepted() {
          return listener.accepted
        },
        [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
        async [Symbol.asyncDispose]() {
          queue.end()
        },
      }
    },

    adopt(filter, queue) {
      void keep(enlist(filter, queue), undefined)
    },

    onNotification: (notification, connection) => void backend.take(notification, connection),

    end() {
      for (const { queue } of listeners) queue.end()
    },
  }
}

const byCaller = { details: { by: 'caller' } } as const

const rejectedReport = { severity: 'warning', operation: 'subscriptions/listen' } as const

/** Why it ended; undefined if the server meant it to, as one does that is about to be replaced. */
async function endOf({ ended }: Listen): Promise<unknown> {
  try {
    await ended
    return undefined
  } catch (error) {
    return error === endedByServer ? undefined : error
  }
}

function notTold(cause: unknown): McpError {
  const why = 'the server tells no changes at the moment'
  return new McpError('connection_lost', why, { details: { sent: true }, cause })
}

/** An answer that would be the same the next time. */
function isRejection(reason: unknown): boolean {
  return isRpcError(reason) || isMcpError(reason, 'closed') || isMcpError(reason, 'unauthorized')
}

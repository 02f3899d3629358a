import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { Notification } from '../../rpc/message.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { NotificationStream } from '../connection/notification-stream.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'
import type { CallOptions } from '../options.ts'
import type { ServerChange, Subscription } from './changes.ts'
import { createLegacySubscriptions } from './legacy-subscriptions.ts'
import { createModernSubscriptions } from './modern-subscriptions.ts'

export { watchFilters, watchList } from './watch-list.ts'

/** All subscriptions of one client, in either era. Loaded with the first one. */
export interface Listeners {
  open(filter: SubscriptionFilter, options: CallOptions): Promise<Subscription>
  /** A notification of the modern era. Only those that belong to a subscription count. */
  onNotification(notification: Notification, connection: Connection): void
  /** Something changed, says a session. */
  publish(change: ServerChange): void
  /** The connection is lost: changes are not passed on before `catchUp`. */
  interrupt(): void
  /** After a gap: listen again to what was listened to, then say that something may have been missed. */
  catchUp(): Promise<void>
  end(): void
}

export interface ListenersContext {
  readonly stored: () => ReconnectingSession
  readonly envelope: (revision: string) => JsonObject
  /** Sends a request whose result says nothing. */
  readonly send: (method: string, params: object) => Promise<void>
  /** Called when cached data of the server may be stale. */
  readonly onChange: (change: ServerChange) => void
  readonly stream: NotificationStream
  /** How long the server may take to agree. */
  readonly acknowledgeMs: number
  readonly clock: Clock
  readonly onError: OnError
}

/** Creates the subscriptions of one client: by `resources/subscribe` in a session, else by `subscriptions/listen`. */
export function createListeners(parts: ListenersContext): Listeners {
  const { stored, send, onChange, stream, acknowledgeMs, clock, onError } = parts
  const subscriptions = createLegacySubscriptions({
    subscribe: (uri) => send('resources/subscribe', { uri }),
    unsubscribe: (uri) => send('resources/unsubscribe', { uri }),
    onError: (error) => onError(error, { severity: 'warning' }),
    onListeners: stream.setListeners,
  })
  const listening = createModernSubscriptions({
    session: () => stored().session(),
    envelope: parts.envelope,
    async handOver(filter, queue) {
      await subscriptions.open(filter, await stored().session(), queue)
      await catchUp()
    },
    onChange,
    onDisconnected: (cause) => stored().noteNotifications(cause),
    acknowledgeMs,
    clock,
    onError,
  })

  /** Opens the stream first and reports the gap then, so that no change is missed between. */
  async function catchUp(): Promise<void> {
    if (stored().latest.kind === 'modern') {
      for (const [queue, filter] of subscriptions.release()) listening.adopt(filter, queue)
      return
    }
    await stream.opened()
    await subscriptions.restore(stored().latest)
  }

  return {
    async open(filter, { signal, timeouts }) {
      const ms = timeouts?.idleMs ?? acknowledgeMs
      const session = await stored().session({ ms, signal })
      if (session.kind === 'modern') return listening.open(filter, { ms, signal })
      const subscription = await subscriptions.open(filter, session)
      await stream.opened()
      return subscription
    },
    onNotification: listening.onNotification,
    publish: subscriptions.publish,
    interrupt: subscriptions.interrupt,
    catchUp,
    end() {
      subscriptions.end()
      listening.end()
    },
  }
}

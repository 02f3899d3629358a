import type { Connection } from '../../rpc/connection.ts'
import type { Notification } from '../../rpc/message.ts'
import { lazy } from '../../rpc/promise.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import {
  createNotificationStream,
  type NotificationStream,
} from '../connection/notification-stream.ts'
import { subscriptionsPart } from '../lazy-parts.ts'
import { defaultTimeouts, type CallOptions, type ConnectOptions } from '../options.ts'
import type { Subscription } from './changes.ts'
import type { ListenersContext } from './listeners.ts'
import { changeOf, logOf } from './notifications.ts'

/** The notifications of a client outside of calls: changes, log messages, and gaps in which some may have been missed. */
export interface ClientSubscriptions {
  /** Where a channel needs a stream of its own for that. */
  readonly stream: NotificationStream
  listen(filter: SubscriptionFilter, options: CallOptions): Promise<Subscription>
  /** `codec` is the one agreed on, if there is one yet. */
  onNotification(
    notification: Notification,
    connection: Connection,
    codec: RequestCodec | undefined,
  ): void
  /** Messages that belong to no call may have been missed although the connection lives. */
  onGap(): void
  /** The connection is lost: changes are not passed on before `catchUp`. */
  interrupt(): void
  /** After a gap: listen again to what was listened to, then say that something may have been missed. */
  catchUp(): void
  end(): void
}

export interface ClientSubscriptionsContext extends Omit<
  ListenersContext,
  'stream' | 'acknowledgeMs'
> {
  readonly options: ConnectOptions
}

/** Subscriptions are loaded with the first one. */
export function createClientSubscriptions(parts: ClientSubscriptionsContext): ClientSubscriptions {
  const { onChange, options, clock } = parts
  const { elicit, sample, roots, onLog, timeouts } = options
  const isAlwaysNeeded = [elicit, sample, roots, onLog].some((handler) => handler !== undefined)
  const stream = createNotificationStream(clock, isAlwaysNeeded)
  const acknowledgeMs = timeouts?.connectMs ?? defaultTimeouts.connectMs
  const listeners = lazy(async () => {
    const { createListeners } = await subscriptionsPart.load()
    return createListeners({ ...parts, stream, acknowledgeMs })
  })

  function catchUp(): void {
    void listeners.loaded?.catchUp()
  }

  return {
    stream,
    catchUp,
    interrupt: () => listeners.loaded?.interrupt(),

    async listen(filter, callOptions) {
      const { open } = await listeners.load()
      return open(filter, callOptions)
    },

    onNotification(notification, connection, codec) {
      const message = logOf(notification)
      if (message !== undefined) {
        connection.touch()
        return onLog?.(message)
      }
      if (codec?.has.initialize === false) {
        return listeners.loaded?.onNotification(notification, connection)
      }
      const change = changeOf(notification)
      if (change === undefined) return
      onChange(change)
      listeners.loaded?.publish(change)
    },

    onGap() {
      onChange({ type: 'gap' })
      catchUp()
    },

    end: () => listeners.loaded?.end(),
  }
}

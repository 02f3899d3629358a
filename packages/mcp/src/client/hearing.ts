import type { Clock } from '../rpc/clock.ts'
import type { Connection } from '../rpc/connection.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { Notification } from '../rpc/message.ts'
import type { JsonObject } from '../schema/json.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import type { Codec } from '../wire/codec.ts'
import type { Change, Subscription } from './changes.ts'
import type { KeptConnection } from './keep-connected.ts'
import type { Links } from './links.ts'
import { createListening } from './listening.ts'
import { createNotificationStream, type NotificationStream } from './notification-stream.ts'
import { changeOf, logOf } from './notifications.ts'
import { defaultTimeouts, type CallOptions, type ConnectOptions } from './options.ts'
import { createSubscriptions } from './subscriptions.ts'

/** All that a client hears without having asked for it: changes, logs, and that something may have been missed. */
export interface Hearing {
  /** Where a channel needs a stream of its own for that. */
  readonly stream: NotificationStream
  listen(filter: SubscriptionFilter, options: CallOptions): Promise<Subscription>
  /** `codec` is the one agreed on, if there is one yet. */
  onNotification(notification: Notification, connection: Connection, codec: Codec | undefined): void
  /** Messages that belong to no call may have been missed although the connection lives. */
  onGap(): void
  /** The connection is lost: what follows is not told before `catchUp`. */
  interrupt(): void
  /** After a gap: listen again to what was listened to, then say that something may have been missed. */
  catchUp(): Promise<void>
  end(): void
}

export interface HearingParts {
  readonly kept: () => KeptConnection
  readonly envelope: (revision: string) => JsonObject
  /** Sends a request whose result says nothing. */
  readonly send: (method: string, params: object) => Promise<void>
  /** What is known of the server may no longer be so. */
  readonly onChange: (change: Change) => void
  readonly links: Links
  readonly options: ConnectOptions
  readonly clock: Clock
  readonly onError: OnError
}

/** By subscribing in a session, or by requests that stay open where there is none. */
export function createHearing(parts: HearingParts): Hearing {
  const { kept, send, onChange, links, options, clock, onError } = parts
  const { elicit, sample, roots, onLog, timeouts } = options
  const isAlwaysNeeded = [elicit, sample, roots, onLog].some((handler) => handler !== undefined)
  const stream = createNotificationStream(clock, isAlwaysNeeded)
  const patienceMs = timeouts?.connectMs ?? defaultTimeouts.connectMs
  const subscriptions = createSubscriptions({
    subscribe: (uri) => send('resources/subscribe', { uri }),
    unsubscribe: (uri) => send('resources/unsubscribe', { uri }),
    onError: (error) => onError(error, { severity: 'warning' }),
    onListeners: stream.setListeners,
  })
  const listening = createListening({
    session: () => kept().session(),
    envelope: parts.envelope,
    async handOver(filter, queue) {
      const { server } = await kept().session()
      await subscriptions.open(filter, server.capabilities, queue)
      await catchUp()
    },
    onChange,
    onLost: (cause) => kept().noteNotifications(cause),
    patienceMs,
    clock,
    onError,
  })

  /** First what listens, then what is told: nothing falls between. */
  async function catchUp(): Promise<void> {
    if (kept().latest.kind === 'standalone') {
      for (const [queue, filter] of subscriptions.release()) listening.adopt(filter, queue)
      return
    }
    await stream.opened()
    await subscriptions.restore()
  }

  return {
    stream,
    catchUp,
    interrupt: subscriptions.interrupt,

    async listen(filter, { signal, timeouts: own }) {
      const ms = own?.idleMs ?? patienceMs
      const { kind, server } = await kept().session({ ms, signal })
      if (kind === 'standalone') return listening.open(filter, { ms, signal })
      const subscription = await subscriptions.open(filter, server.capabilities)
      await stream.opened()
      return subscription
    },

    onNotification(notification, connection, codec) {
      const message = logOf(notification)
      if (message !== undefined) {
        connection.touch()
        return onLog?.(message)
      }
      if (codec?.has.elicitationIds) links.onNotification(notification)
      if (codec?.has.handshake === false) return listening.onNotification(notification, connection)
      const change = changeOf(notification)
      if (change === undefined) return
      onChange(change)
      subscriptions.publish(change)
    },

    onGap() {
      onChange({ type: 'gap' })
      void catchUp()
    },

    end() {
      subscriptions.end()
      listening.end()
    },
  }
}

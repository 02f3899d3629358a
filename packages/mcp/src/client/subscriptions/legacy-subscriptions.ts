/**
 * Subscriptions of a client to a server with sessions. Changes arrive without a mark of whose they are; this file hands each to
 * the subscriptions that want it, and after a reconnect says that some may have been missed.
 *
 * URIs are subscribed to by `subscribe-backend.ts`. `modern-subscriptions.ts` is the same for 2026-07-28, and `listeners.ts` has
 * both: a subscription outlives a change of the server's revision.
 */

import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { ClientSession } from '../connection/session.ts'
import {
  createChangeQueue,
  wants,
  wholesOf,
  type ServerChange,
  type ChangeQueue,
  type Subscription,
} from './changes.ts'
import {
  createSubscribeBackend,
  declaredPart,
  type SubscribeBackendOptions,
} from './subscribe-backend.ts'

/** Subscriptions of the legacy era, and the URIs the client subscribed to for them. */
export interface LegacySubscriptions {
  /** `queue`: one that is being read already. */
  open(
    filter: SubscriptionFilter,
    session: ClientSession,
    queue?: ChangeQueue,
  ): Promise<Subscription>
  publish(change: ServerChange): void
  /** The connection is lost: changes are not passed on before `restore`. */
  interrupt(): void
  /** After a gap: follow again what was followed, then say that something may have been missed. */
  restore(session: ClientSession): Promise<void>
  /** Hands over all subscriptions, to continue in the other era. */
  release(): readonly (readonly [ChangeQueue, SubscriptionFilter])[]
  end(): void
}

export interface LegacySubscriptionsOptions extends SubscribeBackendOptions {
  /** Somebody began or ceased to listen. */
  onListeners(count: number): void
}

export function createLegacySubscriptions(
  options: LegacySubscriptionsOptions,
): LegacySubscriptions {
  const listeners = new Map<ChangeQueue, SubscriptionFilter>()
  const backend = createSubscribeBackend(options)
  let isInterrupted = false

  async function leave(queue: ChangeQueue, subscribed: SubscriptionFilter): Promise<void> {
    if (!listeners.delete(queue)) return
    options.onListeners(listeners.size)
    await backend.close(subscribed)
  }

  function concerns(change: ServerChange, filter: SubscriptionFilter): boolean {
    if (change.type !== 'resource') return wants(filter, change)
    // In a session nothing says whose a change is.
    const wholes = wholesOf(change.uri, backend.uris)
    return filter.resourceSubscriptions?.some((uri) => wholes.includes(uri)) ?? false
  }

  function release(): readonly (readonly [ChangeQueue, SubscriptionFilter])[] {
    const released = [...listeners]
    listeners.clear()
    backend.clear()
    return released
  }

  return {
    async open(filter, session, queue = createChangeQueue()) {
      const accepted = declaredPart(filter, session.server.capabilities)
      let subscribed: SubscriptionFilter
      listeners.set(queue, accepted)
      options.onListeners(listeners.size)
      try {
        subscribed = await backend.open(filter, session, () => true)
      } catch (error) {
        listeners.delete(queue)
        options.onListeners(listeners.size)
        throw error
      }
      let leaving: Promise<void> | undefined
      queue.onEnd(() => (leaving = leave(queue, subscribed)))
      return {
        accepted,
        [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
        async [Symbol.asyncDispose]() {
          queue.end()
          await leaving
        },
      }
    },

    publish(change) {
      if (isInterrupted) return // the gap will say it
      for (const [queue, filter] of listeners) if (concerns(change, filter)) queue.put(change)
    },

    interrupt() {
      isInterrupted = true
    },

    async restore(session) {
      await backend.renew(session)
      isInterrupted = false
      for (const queue of listeners.keys()) queue.put({ type: 'gap' })
    },

    release() {
      isInterrupted = false
      return release()
    },

    end() {
      for (const [queue] of release()) queue.end()
    },
  }
}

import type { ServerCapabilities } from '../../schema/capabilities.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import {
  createChangeQueue,
  wants,
  wholesOf,
  type ServerChange,
  type ChangeQueue,
  type Subscription,
} from './changes.ts'

/** Subscriptions of the legacy era, and the URIs the client subscribed to for them. */
export interface LegacySubscriptions {
  /** `queue` is one that somebody reads already. */
  open(
    filter: SubscriptionFilter,
    capabilities: ServerCapabilities,
    queue?: ChangeQueue,
  ): Promise<Subscription>
  publish(change: ServerChange): void
  /** The connection is lost: what follows is not told before `restore`. */
  interrupt(): void
  /** After a gap: follow again what was followed, then say that something may have been missed. */
  restore(): Promise<void>
  /** Hands over all subscriptions, to continue in the other era. */
  release(): readonly (readonly [ChangeQueue, SubscriptionFilter])[]
  end(): void
}

export interface LegacySubscriptionsOptions {
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  onError(error: unknown): void
  /** Somebody began or ceased to listen. */
  onListeners(count: number): void
}

/** A URI the server was asked to follow. */
interface Followed {
  followers: number
  readonly subscribed: Promise<void>
}

export function createLegacySubscriptions(
  options: LegacySubscriptionsOptions,
): LegacySubscriptions {
  const listeners = new Map<ChangeQueue, SubscriptionFilter>()
  const followed = new Map<string, Followed>()
  let isInterrupted = false

  async function follow(uris: readonly string[]): Promise<void> {
    const subscribed: string[] = []
    try {
      for (const uri of uris) {
        await hold(uri)
        subscribed.push(uri)
      }
    } catch (error) {
      await unfollow(subscribed)
      throw error
    }
  }

  /** The first subscription to a URI sends the request. Others wait for the same answer. */
  async function hold(uri: string): Promise<void> {
    const entry = followed.get(uri) ?? { followers: 0, subscribed: options.subscribe(uri) }
    entry.followers += 1
    followed.set(uri, entry)
    try {
      await entry.subscribed
    } catch (error) {
      if (followed.get(uri) === entry) followed.delete(uri)
      throw error
    }
  }

  async function unfollow(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const entry = followed.get(uri)
      if (entry === undefined || --entry.followers > 0) continue
      followed.delete(uri)
      await options.unsubscribe(uri).catch(options.onError)
    }
  }

  async function leave(queue: ChangeQueue, uris: readonly string[]): Promise<void> {
    if (!listeners.delete(queue)) return
    options.onListeners(listeners.size)
    await unfollow(uris)
  }

  function concerns(change: ServerChange, filter: SubscriptionFilter): boolean {
    if (change.type !== 'resource') return wants(filter, change)
    // In a session nothing says whose a change is.
    const wholes = wholesOf(change.uri, [...followed.keys()])
    return filter.resourceSubscriptions?.some((uri) => wholes.includes(uri)) ?? false
  }

  function release(): readonly (readonly [ChangeQueue, SubscriptionFilter])[] {
    const released = [...listeners]
    listeners.clear()
    followed.clear()
    return released
  }

  return {
    async open(filter, capabilities, queue = createChangeQueue()) {
      const accepted = acceptable(filter, capabilities)
      const uris = accepted.resourceSubscriptions ?? []
      listeners.set(queue, accepted)
      options.onListeners(listeners.size)
      try {
        await follow(uris)
      } catch (error) {
        listeners.delete(queue)
        options.onListeners(listeners.size)
        throw error
      }
      let leaving: Promise<void> | undefined
      queue.onEnd(() => (leaving = leave(queue, uris)))
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

    async restore() {
      for (const uri of followed.keys()) await options.subscribe(uri).catch(options.onError)
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

/** In the legacy era list changes arrive without a subscription, if the server declared them. */
function acceptable(filter: SubscriptionFilter, can: ServerCapabilities): SubscriptionFilter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } =
    filter
  return {
    ...(toolsListChanged && can.tools?.listChanged && { toolsListChanged }),
    ...(promptsListChanged && can.prompts?.listChanged && { promptsListChanged }),
    ...(resourcesListChanged && can.resources?.listChanged && { resourcesListChanged }),
    ...(resourceSubscriptions && can.resources?.subscribe && { resourceSubscriptions }),
  }
}

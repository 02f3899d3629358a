import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import {
  createChangeQueue,
  wants,
  type Change,
  type ChangeQueue,
  type Subscription,
} from './changes.ts'

/** Everybody who listens on one client, and which URIs the server was asked to follow for them. */
export interface Subscriptions {
  open(filter: SubscriptionFilter, capabilities: ServerCapabilities): Promise<Subscription>
  publish(change: Change): void
  /** The connection is lost: what follows is not told before `restore`. */
  interrupt(): void
  /** After a gap: follow again what was followed, then say that something may have been missed. */
  restore(): Promise<void>
  end(): void
}

export interface SubscriptionsOptions {
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  onError(error: unknown): void
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const listeners = new Map<ChangeQueue, SubscriptionFilter>()
  const followers = new Map<string, number>()
  let isInterrupted = false

  async function follow(uris: readonly string[]): Promise<void> {
    const followed: string[] = []
    try {
      for (const uri of uris) {
        const count = followers.get(uri) ?? 0
        followers.set(uri, count + 1)
        followed.push(uri)
        if (count === 0) await options.subscribe(uri)
      }
    } catch (error) {
      await unfollow(followed)
      throw error
    }
  }

  async function unfollow(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const count = (followers.get(uri) ?? 0) - 1
      if (count > 0) followers.set(uri, count)
      else if (followers.delete(uri)) await options.unsubscribe(uri).catch(options.onError)
    }
  }

  return {
    async open(filter, capabilities) {
      const accepted = acceptable(filter, capabilities)
      const uris = accepted.resourceSubscriptions ?? []
      const queue = createChangeQueue()
      listeners.set(queue, accepted)
      try {
        await follow(uris)
      } catch (error) {
        listeners.delete(queue)
        throw error
      }
      return {
        accepted,
        [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
        async [Symbol.asyncDispose]() {
          queue.end()
          if (listeners.delete(queue)) await unfollow(uris)
        },
      }
    },

    publish(change) {
      if (isInterrupted) return // the gap will say it
      for (const [queue, filter] of listeners) if (wants(filter, change)) queue.put(change)
    },

    interrupt() {
      isInterrupted = true
    },

    async restore() {
      for (const uri of followers.keys()) await options.subscribe(uri).catch(options.onError)
      isInterrupted = false
      for (const queue of listeners.keys()) queue.put({ type: 'gap' })
    },

    end() {
      for (const queue of listeners.keys()) queue.end()
      listeners.clear()
      followers.clear()
    },
  }
}

/** By handshake, list changes come unasked where the server declared them. */
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

/**
 * The backend of subscriptions for servers with sessions: `resources/subscribe`, sent once for each URI however many
 * subscriptions name it, and `resources/unsubscribe` when none does any more. Changes of lists come without a request, if the
 * server declared them. Client (`legacy-subscriptions.ts`) and proxy (`transport/proxy/upstream-subscriptions.ts`) use it. For servers of
 * the modern era there is `listen-backend.ts`.
 */

import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { ClientSession } from '../connection/session.ts'

/** The URIs that one session is subscribed to, and how many subscriptions need each. */
export interface SubscribeBackend {
  readonly uris: readonly string[]
  /**
   * Subscribes to the URIs of a filter. Resolves with the filter as far as the server agrees: a URI that it rejects is left
   * out, and rejects the whole if it is required.
   */
  open(
    filter: SubscriptionFilter,
    session: ClientSession,
    isRequired: (uri: string) => boolean,
  ): Promise<SubscriptionFilter>
  /** Gives back what `open` resolved with. */
  close(accepted: SubscriptionFilter): Promise<void>
  /** Subscribes again in a session that replaces the one before. */
  renew(session: ClientSession): Promise<void>
  /** The session is over, and its subscriptions with it. */
  clear(): void
}

export interface SubscribeBackendOptions {
  subscribe(uri: string, session: ClientSession): Promise<unknown>
  unsubscribe(uri: string): Promise<unknown>
  onError(error: unknown): void
}

/** One URI. */
interface Entry {
  count: number
  readonly subscribed: Promise<unknown>
}

export function createSubscribeBackend(options: SubscribeBackendOptions): SubscribeBackend {
  const entries = new Map<string, Entry>()

  /** The first subscription to a URI sends the request. Others wait for the same response. */
  async function add(uri: string, session: ClientSession): Promise<void> {
    const entry = entries.get(uri) ?? { count: 0, subscribed: options.subscribe(uri, session) }
    entry.count += 1
    entries.set(uri, entry)
    try {
      await entry.subscribed
    } catch (error) {
      if (entries.get(uri) === entry) entries.delete(uri)
      throw error
    }
  }

  async function close({ resourceSubscriptions = [] }: SubscriptionFilter): Promise<void> {
    for (const uri of resourceSubscriptions) {
      const entry = entries.get(uri)
      if (entry === undefined || --entry.count > 0) continue
      entries.delete(uri)
      await options.unsubscribe(uri).catch(options.onError)
    }
  }

  return {
    get uris() {
      return [...entries.keys()]
    },
    async open(filter, session, isRequired) {
      const declared = declaredPart(filter, session.server.capabilities)
      const { resourceSubscriptions = [] } = declared
      const accepted: string[] = []
      for (const uri of new Set(resourceSubscriptions)) {
        try {
          await add(uri, session)
          accepted.push(uri)
        } catch (error) {
          if (isRpcError(error) && !isRequired(uri)) continue
          await close({ resourceSubscriptions: accepted })
          throw error
        }
      }
      const { resourceSubscriptions: _, ...lists } = declared
      return accepted.length === 0 ? lists : { ...lists, resourceSubscriptions: accepted }
    },
    close,
    async renew(session) {
      for (const uri of entries.keys()) {
        await options.subscribe(uri, session).catch(options.onError)
      }
    },
    clear: () => entries.clear(),
  }
}

/** The part of a filter for which the server declared a capability. */
export function declaredPart(
  filter: SubscriptionFilter,
  { tools, prompts, resources }: ServerCapabilities,
): SubscriptionFilter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } =
    filter
  return {
    ...(toolsListChanged && tools?.listChanged && { toolsListChanged }),
    ...(promptsListChanged && prompts?.listChanged && { promptsListChanged }),
    ...(resourcesListChanged && resources?.listChanged && { resourcesListChanged }),
    ...(resourceSubscriptions && resources?.subscribe && { resourceSubscriptions }),
  }
}

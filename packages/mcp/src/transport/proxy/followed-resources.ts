import type { ClientSession } from '../../client/connection/session.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { ProxySettings } from './proxy-options.ts'

/** Subscriptions to resources in one session of an older revision: one for each URI, whoever follows it. */
export interface Followed {
  /** Resolves with the part that the server agrees to; rejects if it refuses the required URI. */
  follow(
    filter: SubscriptionFilter,
    session: ClientSession,
    required?: string,
  ): Promise<SubscriptionFilter>
  leave(accepted: SubscriptionFilter, session: ClientSession): void
  /** The session is over, and its subscriptions with it. */
  clear(): void
}

export function createFollowed({ onError, timeouts }: ProxySettings): Followed {
  const uris = new Map<string, { count: number; readonly done: Promise<unknown> }>()
  const limits = { idleMs: timeouts.idleMs, totalMs: timeouts.totalMs }

  async function subscribe(uri: string, { connection }: ClientSession): Promise<void> {
    const subscription = uris.get(uri) ?? {
      count: 0,
      done: connection.request('resources/subscribe', { uri }, limits),
    }
    uris.set(uri, subscription)
    subscription.count += 1
    try {
      await subscription.done
    } catch (error) {
      if (uris.get(uri) === subscription) uris.delete(uri)
      throw error
    }
  }

  const followed: Followed = {
    async follow(filter, session, required) {
      const { tools, prompts, resources } = session.server.capabilities
      const { resourceSubscriptions: wanted = [] } = filter
      const accepted: string[] = []
      for (const uri of resources?.subscribe ? new Set(wanted) : []) {
        try {
          await subscribe(uri, session)
          accepted.push(uri)
        } catch (error) {
          if (isRpcError(error) && uri !== required) continue
          followed.leave({ resourceSubscriptions: accepted }, session)
          throw error
        }
      }
      return {
        ...(filter.toolsListChanged && tools?.listChanged && { toolsListChanged: true }),
        ...(filter.promptsListChanged && prompts?.listChanged && { promptsListChanged: true }),
        ...(filter.resourcesListChanged &&
          resources?.listChanged && { resourcesListChanged: true }),
        ...(accepted.length > 0 && { resourceSubscriptions: accepted }),
      }
    },

    leave({ resourceSubscriptions = [] }, { kind, connection }) {
      if (kind === 'modern') return
      for (const uri of resourceSubscriptions) {
        const subscription = uris.get(uri)
        if (subscription === undefined || --subscription.count > 0) continue
        uris.delete(uri)
        connection.request('resources/unsubscribe', { uri }, limits).catch((error: unknown) => {
          onError(error, { severity: 'warning', operation: 'resources/unsubscribe' })
        })
      }
    },

    clear: () => uris.clear(),
  }
  return followed
}

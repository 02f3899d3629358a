import { envelopeOf, type ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession, ServerDescription } from '../../client/connection/session.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Implementation } from '../../schema/metadata.ts'
import { modernCodecs } from '../../wire/modern-codec.ts'
import type { ProxySettings } from './proxy-options.ts'
import type { UpstreamPool } from './upstream-pool.ts'
import { listMethods, type UpstreamSubscription } from './upstream-subscriptions.ts'
import type { Upstream } from './upstream.ts'

/** Watches a server for all clients of a proxy. */
export interface ProxyWatcher {
  /** The name that is sent to the server. */
  readonly info: Implementation
  /** A list of the server has changed, or may have. */
  onChanged(list: 'tools' | 'prompts' | 'resources'): void
  /** The session has ended; `open` begins another. */
  onDisconnected(error: unknown): void
}

/** A session of a proxy's own, which belongs to no client: what the server says of itself, and its lists. */
export interface ProxyWatch {
  /** Opens the session, if there is none. Rejects if the server cannot be reached. */
  open(): Promise<ServerDescription>
  /** All pages of a list, as the server defines its entries. Rejects for what is no list, and for one without end. */
  list(method: WatchedList): Promise<readonly unknown[]>
  /** Ends the session. */
  close(): void
}

/** A list that a server has. */
export type WatchedList = keyof typeof listKeys

const listKeys = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
} as const

/** Entries of one list; a server that has more is not one that can be looked at. */
const maxEntries = 10_000

export function createWatch(
  settings: ProxySettings,
  upstreams: UpstreamPool,
  watcher: ProxyWatcher,
): ProxyWatch {
  const client: ClientIdentity = {
    info: watcher.info,
    // Some servers list a tool only for clients with the capabilities that it needs; callers may have them.
    capabilities: {
      sampling: {},
      elicitation: { form: {}, url: {} },
      roots: { listChanged: true },
    },
  }
  const { timeouts, limits, tools, onError } = settings
  const wait = { idleMs: timeouts.connectMs, totalMs: timeouts.connectMs }
  const subscription: UpstreamSubscription = {
    filter: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
    deliver(method) {
      if (method === listMethods.toolsListChanged) watcher.onChanged('tools')
      if (method === listMethods.promptsListChanged) watcher.onChanged('prompts')
      if (method === listMethods.resourcesListChanged) watcher.onChanged('resources')
    },
  }
  let upstream: Upstream | undefined
  let subscribed: ClientSession | undefined

  function connection(): Upstream {
    if (upstream === undefined || upstream.isClosed) {
      const [codec] = modernCodecs
      if (codec === undefined) throw new TypeError('there is a revision without initialize')
      upstream = upstreams.forSession(client, codec, undefined)
      upstream.listeners.add(watcher.onDisconnected)
      subscribed = undefined
    }
    return upstream
  }

  async function session(): Promise<ClientSession> {
    const current = connection()
    const opened = await current.ready()
    if (subscribed === undefined) {
      subscribed = opened
      try {
        await current.subscriptions.add(subscription, opened)
      } catch (error) {
        subscribed = undefined
        onError(error, { severity: 'warning', operation: 'subscriptions' })
      }
    }
    return opened
  }

  function paramsOf({ kind, codec }: ClientSession, cursor: string | undefined): JsonObject {
    return {
      ...(cursor !== undefined && { cursor }),
      ...(kind === 'modern' && { _meta: envelopeOf(client, codec.revision) }),
    }
  }

  return {
    open: async () => (await session()).server,

    async list(method) {
      const opened = await session()
      const entries: unknown[] = []
      let cursor: string | undefined
      for (let page = 0; page < limits.listPages; page += 1) {
        const params = paramsOf(opened, cursor)
        const result = await opened.connection.request(method, params, wait)
        if (method === 'tools/list') tools.learn(result)
        const listed: unknown = (opened.codec.decodeResult(method, result) as JsonObject)[
          listKeys[method]
        ] // a result is JSON
        if (!Array.isArray(listed)) throw unreadable(`${method} was answered with no list`)
        entries.push(...(listed as unknown[])) // the caller checks each
        if (entries.length > maxEntries) {
          throw unreadable(`${method} has more than ${maxEntries} entries`)
        }
        const next: unknown = isJsonObject(result) ? result['nextCursor'] : undefined
        if (typeof next !== 'string' || next === cursor) return entries
        cursor = next
      }
      throw unreadable(`${method} has more than ${limits.listPages} pages`)
    },

    close() {
      if (upstream === undefined) return
      upstream.listeners.delete(watcher.onDisconnected)
      upstream.subscriptions.remove(subscription)
      upstreams.release(upstream)
      upstream = undefined
    },
  }
}

function unreadable(why: string): McpError {
  return new McpError('invalid_message', why, { details: { excerpt: '' } })
}

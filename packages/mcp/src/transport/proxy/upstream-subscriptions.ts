/**
 * The subscriptions of a proxy's clients on one connection: `subscriptions/listen` where the server has it, else
 * `resources/subscribe` once for all clients (the two backends are the client's, `client/subscriptions/*-backend.ts`). All of
 * it is requested again whenever the connection is opened again, and then every client is told that it may have missed
 * something. `upstream.ts` owns the connection; `proxy-session.ts`, `modern-calls.ts` and `watch.ts` add subscriptions.
 */

import { envelopeOf, type ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession, ModernSession } from '../../client/connection/session.ts'
import { createListenBackend } from '../../client/subscriptions/listen-backend.ts'
import { createSubscribeBackend } from '../../client/subscriptions/subscribe-backend.ts'
import { createBackoff } from '../../rpc/backoff.ts'
import type { Connection } from '../../rpc/connection.ts'
import type { Notification } from '../../rpc/message.ts'
import { type JsonObject, omit } from '../../schema/json.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import type { ProxySettings } from './proxy-options.ts'

/** The subscription of one client, and where its notifications go. */
export interface UpstreamSubscription {
  readonly filter: SubscriptionFilter
  /** A URI without which the whole is refused. */
  readonly required?: string | undefined
  deliver(method: string, params: JsonObject): void
}

/** The subscriptions of all clients of one connection. */
export interface UpstreamSubscriptions {
  readonly count: number
  /** Resolves with what the server will tell. Rejects with `RpcError` where it refuses. */
  add(subscription: UpstreamSubscription, session: ClientSession): Promise<SubscriptionFilter>
  /** Replaces the subscription of a client. */
  replace(
    from: UpstreamSubscription,
    to: UpstreamSubscription,
    session: ClientSession,
  ): Promise<SubscriptionFilter>
  remove(subscription: UpstreamSubscription): void
  /** True for a notification about changes, and for the end of a listen. It has been delivered to those who want it. */
  take(notification: Notification, connection: Connection): boolean
  establish(session: ClientSession): Promise<void>
  onDisconnected(): void
  /** Notifications may have been missed while the connection lived on. */
  onGap(): void
  close(): void
}

interface SubscriptionState {
  accepted: SubscriptionFilter
  /** Ends its listen. */
  controller: AbortController | undefined
}

export function createUpstreamSubscriptions(
  settings: ProxySettings,
  { client, reopen }: { readonly client: ClientIdentity; readonly reopen: () => void },
): UpstreamSubscriptions {
  const { clock, onError, timeouts } = settings
  const states = new Map<UpstreamSubscription, SubscriptionState>()
  const listens = createListenBackend(clock)
  const limits = { idleMs: timeouts.idleMs, totalMs: timeouts.totalMs }
  const subscribes = createSubscribeBackend({
    subscribe: (uri, { connection }) => connection.request('resources/subscribe', { uri }, limits),
    unsubscribe: async (uri) =>
      current?.connection.request('resources/unsubscribe', { uri }, limits),
    onError: (error) => onError(error, { severity: 'warning', operation: 'resources/unsubscribe' }),
  })
  const backoff = createBackoff({ clock, minDelayMs: 500, maxDelayMs: 30_000 })
  let current: ClientSession | undefined
  let timer: Disposable | undefined
  let isClosed = false

  async function ask(
    subscription: UpstreamSubscription,
    session: ClientSession,
  ): Promise<SubscriptionFilter> {
    const own: SubscriptionState = { accepted: {}, controller: undefined }
    states.set(subscription, own)
    try {
      own.accepted =
        session.kind === 'modern'
          ? await listen(subscription, own, session)
          : await subscribes.open(
              subscription.filter,
              session,
              (uri) => uri === subscription.required,
            )
    } catch (error) {
      if (states.get(subscription) === own) states.delete(subscription)
      throw error
    }
    if (states.get(subscription) !== own) void subscribes.close(own.accepted) // given up meanwhile
    return own.accepted
  }

  /** Resolves with the acknowledgement; the listen itself lasts. */
  function listen(
    subscription: UpstreamSubscription,
    own: SubscriptionState,
    session: ModernSession,
  ): Promise<SubscriptionFilter> {
    const controller = new AbortController()
    own.controller = controller
    const { acknowledged, ended } = listens.start(session, {
      filter: subscription.filter,
      meta: envelopeOf(client, session.codec.revision),
      signal: controller.signal,
      acknowledgeMs: timeouts.connectMs,
      onMessage: ({ method, params }) => subscription.deliver(method, withoutTag(params)),
    })
    const onEnd = (): void => {
      const isWanted = states.get(subscription) === own && own.controller === controller
      if (isWanted && current === session) retryLater()
    }
    ended.then(onEnd, onEnd)
    return acknowledged
  }

  /** Requests the subscriptions again after a pause. Opens the connection again if it is lost. */
  function retryLater(): void {
    if (isClosed || states.size === 0 || timer) return
    timer = clock.setTimer(() => {
      timer = undefined
      if (isClosed || states.size === 0) return
      if (current === undefined) reopen()
      else void establish(current)
    }, backoff.next())
  }

  async function establish(session: ClientSession): Promise<void> {
    current = session
    const before = new Map(states) // it changes meanwhile
    for (const [subscription, own] of before) {
      if (states.get(subscription) !== own) continue
      own.controller?.abort()
      try {
        const accepted = await ask(subscription, session)
        notifyMissed(subscription, accepted)
      } catch (error) {
        states.set(subscription, own) // it is asked for again
        onError(error, { severity: 'warning', operation: 'subscriptions' })
        retryLater()
      }
    }
    backoff.succeeded()
  }

  function notifyMissed(subscription: UpstreamSubscription, accepted: SubscriptionFilter): void {
    for (const [key, method] of Object.entries(listMethods)) {
      if (accepted[key as keyof typeof listMethods]) subscription.deliver(method, {}) // a key of it
    }
    for (const uri of accepted.resourceSubscriptions ?? []) {
      subscription.deliver('notifications/resources/updated', { uri })
    }
  }

  return {
    get count() {
      return states.size
    },
    add: ask,
    async replace(from, to, session) {
      const before = states.get(from)
      const accepted = await ask(to, session)
      states.delete(from)
      before?.controller?.abort()
      if (before) void subscribes.close(before.accepted)
      return accepted
    },
    remove(subscription) {
      const own = states.get(subscription)
      states.delete(subscription)
      own?.controller?.abort()
      if (own && current) void subscribes.close(own.accepted)
    },
    take(notification, connection) {
      if (listens.take(notification, connection)) return true
      const { method, params } = notification
      if (!changeMethods.has(method)) return false
      for (const [subscription, { accepted }] of states) {
        if (wants(accepted, method, params, states.size === 1)) subscription.deliver(method, params)
      }
      return true
    },
    establish,
    onDisconnected() {
      current = undefined
      subscribes.clear()
      if (needsConnection(states.keys())) retryLater()
    },
    onGap() {
      for (const [subscription, { accepted }] of states) notifyMissed(subscription, accepted)
    },
    close() {
      isClosed = true
      timer?.[Symbol.dispose]()
      for (const { controller } of states.values()) controller?.abort()
      states.clear()
    },
  }
}

/** Changes of lists are noticed with the next call; a client that subscribed to a resource needs a connection now. */
function needsConnection(subscriptions: Iterable<UpstreamSubscription>): boolean {
  for (const { filter } of subscriptions) if (filter.resourceSubscriptions?.length) return true
  return false
}

export const listMethods = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
} as const

const updated = 'notifications/resources/updated'
const changeMethods: ReadonlySet<string> = new Set([...Object.values(listMethods), updated])

/** A server may tell of a part of what is followed; where one client alone listens, it is for that one. */
function wants(
  accepted: SubscriptionFilter,
  method: string,
  { uri }: JsonObject,
  isAlone: boolean,
): boolean {
  if (method !== updated) {
    return Object.entries(listMethods).some(
      ([key, name]) => name === method && accepted[key as keyof typeof listMethods], // a key of it
    )
  }
  const uris = accepted.resourceSubscriptions ?? []
  return isAlone ? uris.length > 0 : typeof uri === 'string' && uris.includes(uri)
}

function withoutTag(params: JsonObject): JsonObject {
  const meta = omit(params['_meta'] as JsonObject, [metaKeys.subscription]) // just read there
  const rest = omit(params, ['_meta'])
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta }
}

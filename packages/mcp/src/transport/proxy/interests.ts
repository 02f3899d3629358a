import { envelopeOf, type ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession, ModernSession } from '../../client/connection/session.ts'
import { createBackoff } from '../../rpc/backoff.ts'
import type { RequestId } from '../../rpc/message.ts'
import { isJsonObject, type JsonObject, omit } from '../../schema/json.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import { createFollowed } from './followed-resources.ts'
import type { ProxySettings } from './proxy-options.ts'

/** What one client wants to hear of, and where that goes. */
export interface UpstreamSubscription {
  readonly filter: SubscriptionFilter
  /** A URI without which the whole is refused. */
  readonly required?: string | undefined
  deliver(method: string, params: JsonObject): void
}

/**
 * What clients want to hear of from one connection: by `subscriptions/listen` from a server that has it, else by
 * `resources/subscribe` once for all. It is asked for again whenever the connection is opened again, and then every
 * interest is told that it may have missed something.
 */
export interface UpstreamSubscriptions {
  readonly count: number
  /** Resolves with what the server will tell. Rejects with `RpcError` where it refuses. */
  add(subscription: UpstreamSubscription, session: ClientSession): Promise<SubscriptionFilter>
  /** The same client wants to hear of something else from now on. */
  replace(
    from: UpstreamSubscription,
    to: UpstreamSubscription,
    session: ClientSession,
  ): Promise<SubscriptionFilter>
  remove(subscription: UpstreamSubscription): void
  /** True for a notification about changes: it has been delivered to those who want it. */
  take(method: string, params: JsonObject): boolean
  establish(session: ClientSession): Promise<void>
  onLost(): void
  /** Notifications may have been missed while the connection lived on. */
  onGap(): void
  close(): void
}

interface Held {
  accepted: SubscriptionFilter
  /** Ends its listen. */
  controller: AbortController | undefined
}

export function createUpstreamSubscriptions(
  settings: ProxySettings,
  { client, reopen }: { readonly client: ClientIdentity; readonly reopen: () => void },
): UpstreamSubscriptions {
  const { clock, onError, timeouts } = settings
  const subscriptionStates = new Map<UpstreamSubscription, Held>()
  const listens = new Map<RequestId, Listen>()
  const followed = createFollowed(settings)
  const backoff = createBackoff({ clock, minDelayMs: 500, maxDelayMs: 30_000 })
  let current: ClientSession | undefined
  let timer: Disposable | undefined
  let isClosed = false

  interface Listen {
    readonly subscription: UpstreamSubscription
    acknowledge(accepted: SubscriptionFilter): void
  }

  async function ask(
    subscription: UpstreamSubscription,
    session: ClientSession,
  ): Promise<SubscriptionFilter> {
    const own: Held = { accepted: {}, controller: undefined }
    subscriptionStates.set(subscription, own)
    try {
      own.accepted =
        session.kind === 'modern'
          ? await listen(subscription, own, session)
          : await followed.follow(subscription.filter, session, subscription.required)
    } catch (error) {
      if (subscriptionStates.get(subscription) === own) subscriptionStates.delete(subscription)
      throw error
    }
    if (subscriptionStates.get(subscription) !== own) followed.leave(own.accepted, session) // given up meanwhile
    return own.accepted
  }

  /** Resolves with the acknowledgement; the listen itself lasts. */
  function listen(
    subscription: UpstreamSubscription,
    own: Held,
    session: ModernSession,
  ): Promise<SubscriptionFilter> {
    const controller = new AbortController()
    own.controller = controller
    const _meta = envelopeOf(client, session.codec.revision)
    const params = { notifications: subscription.filter, _meta } as unknown as JsonObject // a filter is JSON
    return new Promise((resolve, reject) => {
      let id: RequestId | undefined
      const late = clock.setTimer(
        () => controller.abort(new Error('subscriptions/listen was not acknowledged')),
        timeouts.connectMs,
      )
      const acknowledge = (accepted: SubscriptionFilter): void => {
        late[Symbol.dispose]()
        resolve(accepted)
      }
      session.connection
        .request('subscriptions/listen', params, {
          idleMs: Infinity,
          totalMs: Infinity,
          signal: controller.signal,
          onSent: (sent) => listens.set((id = sent), { subscription, acknowledge }),
        })
        .then(
          () => reject(new Error('subscriptions/listen has ended')),
          (error: unknown) => reject(error),
        )
        .finally(() => {
          late[Symbol.dispose]()
          if (id !== undefined) listens.delete(id)
          if (
            subscriptionStates.get(subscription) === own &&
            own.controller === controller &&
            current === session
          ) {
            retryLater()
          }
        })
    })
  }

  /** Of a connection that lives on, or of one that has to be opened again. */
  function retryLater(): void {
    if (isClosed || subscriptionStates.size === 0 || timer) return
    timer = clock.setTimer(() => {
      timer = undefined
      if (isClosed || subscriptionStates.size === 0) return
      if (current === undefined) reopen()
      else void establish(current)
    }, backoff.next())
  }

  async function establish(session: ClientSession): Promise<void> {
    current = session
    const before = new Map(subscriptionStates) // it changes meanwhile
    for (const [subscription, own] of before) {
      if (subscriptionStates.get(subscription) !== own) continue
      own.controller?.abort()
      try {
        const accepted = await ask(subscription, session)
        tellMissed(subscription, accepted)
      } catch (error) {
        subscriptionStates.set(subscription, own) // it is asked for again
        onError(error, { severity: 'warning', operation: 'subscriptions' })
        retryLater()
      }
    }
    backoff.succeeded()
  }

  function tellMissed(subscription: UpstreamSubscription, accepted: SubscriptionFilter): void {
    for (const [key, method] of Object.entries(listMethods)) {
      if (accepted[key as keyof typeof listMethods]) subscription.deliver(method, {}) // a key of it
    }
    for (const uri of accepted.resourceSubscriptions ?? []) {
      subscription.deliver('notifications/resources/updated', { uri })
    }
  }

  function takeTagged(tag: RequestId, method: string, params: JsonObject): boolean {
    const found = listens.get(tag)
    if (found === undefined) return true // it has just been ended
    if (method === 'notifications/subscriptions/acknowledged') {
      const { notifications } = params
      found.acknowledge(isJsonObject(notifications) ? notifications : {}) // what is not there is not told
    } else found.subscription.deliver(method, withoutTag(params))
    return true
  }

  return {
    get count() {
      return subscriptionStates.size
    },
    add: ask,
    async replace(from, to, session) {
      const before = subscriptionStates.get(from)
      const accepted = await ask(to, session)
      subscriptionStates.delete(from)
      before?.controller?.abort()
      if (before) followed.leave(before.accepted, session)
      return accepted
    },
    remove(subscription) {
      const own = subscriptionStates.get(subscription)
      subscriptionStates.delete(subscription)
      own?.controller?.abort()
      if (own && current) followed.leave(own.accepted, current)
    },
    take(method, params) {
      const meta = params['_meta']
      const tag = isJsonObject(meta) ? meta[metaKeys.subscription] : undefined
      if (typeof tag === 'string' || typeof tag === 'number') return takeTagged(tag, method, params)
      if (!changeMethods.has(method)) return false
      for (const [subscription, { accepted }] of subscriptionStates) {
        if (wants(accepted, method, params, subscriptionStates.size === 1))
          subscription.deliver(method, params)
      }
      return true
    },
    establish,
    onLost() {
      current = undefined
      listens.clear()
      followed.clear()
      if (needsConnection(subscriptionStates.keys())) retryLater()
    },
    onGap() {
      for (const [subscription, { accepted }] of subscriptionStates)
        tellMissed(subscription, accepted)
    },
    close() {
      isClosed = true
      timer?.[Symbol.dispose]()
      for (const { controller } of subscriptionStates.values()) controller?.abort()
      subscriptionStates.clear()
    },
  }
}

/** Lists alone are looked at again with the next call; who follows a resource wants to hear of it now. */
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

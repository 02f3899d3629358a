import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { ListenParams, SubscriptionFilter } from '../../schema/subscriptions.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import type { Call } from '../calls/call.ts'
import type { Definition } from '../definition.ts'
import type { ExtensionSubscription } from '../extensions.ts'
import { followersOf, keyOf, type Follower } from '../followers.ts'
import { changeNotification, sendNotification, type ServerNotification } from '../notifications.ts'
import {
  contextsOf,
  requireCapacity,
  subscribe,
  unsubscribeAll,
  type Contexts,
} from '../subscriptions.ts'

/** `subscriptions/listen`: acknowledges what the client will be told, then tells it until either side ends the request. */
export async function listen(
  definition: Definition,
  { notifications: requested }: ListenParams,
  call: Call,
): Promise<object> {
  const { caller } = call
  const _meta = { [metaKeys.subscription]: call.id }
  const waiting = new Map<string, () => void>()
  let isAcknowledged = false

  /** Nothing is sent before the acknowledgement. While the client reads slowly, only one of each kind waits. */
  function notifySession(
    method: string,
    params: object,
    key = JSON.stringify([method, params]),
  ): void {
    const { drained } = caller
    if (drained === undefined && isAcknowledged) return send(method, params)
    if (waiting.size === 0 && isAcknowledged) void drained?.then(flush)
    waiting.set(key, () => send(method, params))
  }

  function flush(): void {
    const messages = [...waiting.values()]
    waiting.clear()
    for (const message of messages) message()
  }

  function send(method: string, params: object): void {
    if (call.isAborted || call.isEnded) return
    sendNotification(caller, method as ServerNotification, { ...params, _meta }) // or one of an extension
  }

  const follower: Follower = {
    changed(change) {
      const { method, params = {} } = changeNotification(change)
      notifySession(method, params)
    },
  }
  const followers = followersOf(definition, caller.clock)
  const extensions: ExtensionSubscription[] = []
  const ended = untilEnded(call)
  let accepted: SubscriptionFilter = {}
  try {
    accepted = await accept(definition, requested, call)
    for (const hooks of definition.hooks) {
      const part = await hooks.listen?.(requested, call, notifySession)
      if (part) extensions.push(part)
    }
    if (call.isAborted) return {}
    for (const part of extensions) accepted = { ...accepted, ...part.accepted }
    send('notifications/subscriptions/acknowledged', { notifications: accepted })
    isAcknowledged = true
    flush()
    for (const key of keysOf(accepted)) followers.follow(key, follower)
    await ended
    return { _meta }
  } finally {
    for (const key of keysOf(accepted)) followers.unfollow(key, follower)
    for (const part of extensions) part[Symbol.dispose]()
    unsubscribeAll(definition, caller)
  }
}

function untilEnded(call: Call): Promise<void> {
  return new Promise((resolve) => {
    call.onDrain = resolve
    call.signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The part of the filter that is accepted: without what the server does not offer, and what this caller may not see. */
async function accept(
  definition: Definition,
  requested: SubscriptionFilter,
  call: Call,
): Promise<SubscriptionFilter> {
  const { tools, prompts, resources } = call.caller.declared
  const wanted = new Set(resources?.subscribe ? requested.resourceSubscriptions : [])
  requireCapacity(call.caller, wanted.size)
  const contexts = contextsOf(call)
  const uris: string[] = []
  for (const uri of wanted) {
    if (await isSubscribed(definition, uri, call, contexts)) uris.push(uri)
  }
  return {
    ...(requested.toolsListChanged && tools?.listChanged && { toolsListChanged: true }),
    ...(requested.promptsListChanged && prompts?.listChanged && { promptsListChanged: true }),
    ...(requested.resourcesListChanged && resources?.listChanged && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  }
}

/** False for a URI that does not exist for this caller. */
async function isSubscribed(
  definition: Definition,
  uri: string,
  call: Call,
  contexts: Contexts,
): Promise<boolean> {
  try {
    await subscribe(definition, uri, call, contexts)
    return true
  } catch (error) {
    if (isRpcError(error, 'resource_not_found')) return false
    throw error
  }
}

/** What a client follows whose filter was accepted so. */
function keysOf(accepted: SubscriptionFilter): readonly string[] {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } =
    accepted
  return [
    ...(toolsListChanged ? ['tools'] : []),
    ...(promptsListChanged ? ['prompts'] : []),
    ...(resourcesListChanged ? ['resources'] : []),
    ...(resourceSubscriptions ?? []).map((uri) => keyOf({ type: 'resource', uri })),
  ]
}

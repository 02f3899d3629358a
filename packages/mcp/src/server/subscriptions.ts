/**
 * Who wants to know about which resource, and how changes are merged before clients are notified.
 *
 * Sessions subscribe by `resources/subscribe`; modern clients listen by `subscriptions/listen` (`subscriptions/listen.ts`). Bytes of
 * subscribed URIs count against the memory of the client. Over HTTP, `Followers` finds those whom a change concerns;
 * `ServerSession.changed` sends the notifications.
 */
import type { Clock } from '../rpc/clock.ts'
import { RpcError } from '../rpc/errors/rpc-error.ts'
import { requireScopesOf, isVisible } from './access.ts'
import type { Call } from './calls/call.ts'
import type { Caller } from './calls/caller.ts'
import { CallContext } from './context.ts'
import { announce, type Definition, type ServerChange } from './definition.ts'
import { resourceNotFound, resourcesFor } from './resources/read-resource.ts'
import type { ResourceEntry } from './resources/resources.ts'

/** URIs that one caller may subscribe to. */
const maxSubscriptions = 10_000

/** Throws `limit_exceeded` if this many more subscriptions are too many for the caller. */
export function requireCapacity({ subscriptions }: Caller, more: number): void {
  if (subscriptions.size + more <= maxSubscriptions) return
  throw new RpcError(
    'limit_exceeded',
    `a caller may subscribe to ${maxSubscriptions} URIs at once`,
    {
      data: { limit: 'subscriptions', allowed: maxSubscriptions },
    },
  )
}

/** The context of a call in a definition, or in one that is mounted there: made once for each. */
export type Contexts = (definition: Definition) => Promise<CallContext>

export function contextsOf(call: Call): Contexts {
  const made = new Map<Definition, Promise<CallContext>>()

  return (definition) => {
    const context = made.get(definition) ?? makeContext(definition, call)
    made.set(definition, context)
    return context
  }
}

async function makeContext({ settings }: Definition, call: Call): Promise<CallContext> {
  return new CallContext(call, await settings.app?.(new CallContext(call, undefined)))
}

/** `resources/subscribe`: the caller is told when this URI changes. */
export async function subscribe(
  definition: Definition,
  uri: string,
  call: Call,
  contexts: Contexts = contextsOf(call),
): Promise<object> {
  const { caller } = call
  if (caller.subscriptions.has(uri)) return {}
  requireCapacity(caller, 1)
  const found = await findResource(definition, uri, contexts)
  if (found === undefined) throw resourceNotFound(uri)
  if (call.isAborted || caller.subscriptions.has(uri)) return {}
  const rejection = caller.memory?.reserve(subscriptionBytes(uri))
  if (rejection) throw rejection
  caller.subscriptions.add(uri)
  startWatching(definition, uri, found.entry, found.variables, caller)
  return {}
}

async function findResource(
  definition: Definition,
  uri: string,
  contexts: Contexts,
): Promise<{ readonly entry: ResourceEntry; readonly variables: object } | undefined> {
  const context = await contexts(definition)
  for (const { exposed, variables } of resourcesFor(definition, uri)) {
    if (exposed.mount) {
      const inner = await findResource(exposed.mount.inner, uri, contexts)
      if (inner) return inner
    } else if (await isVisible(exposed.entry, context)) {
      requireScopesOf(exposed.entry.config.scopes, variables, context)
      return { entry: exposed.entry, variables }
    }
  }
  return undefined
}

function startWatching(
  definition: Definition,
  uri: string,
  entry: ResourceEntry,
  variables: object,
  caller: Caller,
): void {
  const byUri = watchesOf(definition)
  const running = byUri.get(uri)
  if (running) {
    running.subscribers += 1
    return
  }
  const controller = new AbortController()
  byUri.set(uri, { subscribers: 1, controller })
  void runWatch(definition, uri, entry, variables, caller, controller.signal)
}

async function runWatch(
  definition: Definition,
  uri: string,
  { config: { watch, watchSeesAll } }: ResourceEntry,
  variables: object,
  caller: Caller,
  signal: AbortSignal,
): Promise<void> {
  try {
    const isSeenByAll = watchSeesAll === true
    const changed = (): void => {
      if (!signal.aborted) announce(definition, { type: 'resource', uri, isSeenByAll })
    }
    await watch?.(variables as never, changed, signal) // types were settled at definition
  } catch (error) {
    if (!signal.aborted) caller.onError(error, { severity: 'error', operation: `watch ${uri}` })
  }
}

/** Work that tells of changes of one URI, for all its subscribers. */
interface Watch {
  subscribers: number
  readonly controller: AbortController
}

/** A watch runs once per URI and process, from the first subscriber to the last; it knows none of them. */
const watches = new WeakMap<Definition, Map<string, Watch>>()

/** The watches that run now, by URI. */
function watchesOf(definition: Definition): Map<string, Watch> {
  const byUri = watches.get(definition) ?? new Map<string, Watch>()
  watches.set(definition, byUri)
  return byUri
}

/** Returns the URIs that clients subscribed to here. */
export function subscribedUris(definition: Definition): Iterable<string> {
  return watches.get(definition)?.keys() ?? []
}

/** The bytes that one subscription holds: its URI and its bookkeeping. */
function subscriptionBytes(uri: string): number {
  return 512 + 2 * uri.length
}

/** `resources/unsubscribe`. */
export function unsubscribe(definition: Definition, uri: string, caller: Caller): object {
  if (!caller.subscriptions.delete(uri)) return {}
  caller.memory?.release(subscriptionBytes(uri))
  stopWatching(definition, uri)
  return {}
}

/** Removes all subscriptions of a caller that has gone. */
export function unsubscribeAll(
  definition: Definition,
  caller: Pick<Caller, 'subscriptions' | 'memory'>,
): void {
  for (const uri of caller.subscriptions) {
    caller.memory?.release(subscriptionBytes(uri))
    stopWatching(definition, uri)
  }
  caller.subscriptions.clear()
}

function stopWatching(definition: Definition, uri: string): void {
  const byUri = watches.get(definition)
  const running = byUri?.get(uri)
  if (running === undefined || --running.subscribers > 0) return
  byUri?.delete(uri)
  running.controller.abort()
}

/** Many features are registered at once at start-up; clients are told once per kind. */
const windowMs = 50

/** Merges list changes of one kind over a short time; changes of one resource pass at once. */
export interface ListChanges extends Disposable {
  add(change: ServerChange): void
}

export function mergeListChanges(
  clock: Clock,
  notifySession: (change: ServerChange) => void,
): ListChanges {
  const waiting = new Set<'tools' | 'prompts' | 'resources'>()
  let timer: Disposable | undefined

  function flush(): void {
    timer = undefined
    const types = [...waiting]
    waiting.clear()
    for (const type of types) notifySession({ type })
  }

  return {
    add(change) {
      if (change.type === 'resource') return notifySession(change)
      waiting.add(change.type)
      timer ??= clock.setTimer(flush, windowMs)
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
      timer = undefined
      waiting.clear()
    },
  }
}

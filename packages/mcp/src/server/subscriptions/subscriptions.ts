import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Call } from '../calls/call.ts'
import type { Caller } from '../calls/caller.ts'
import { CallContext } from '../context.ts'
import { announce, type Definition } from '../definition.ts'
import { resourceNotFound, resourcesFor } from '../resources/read-resource.ts'
import type { ResourceEntry } from '../resources/resources.ts'
import { requireScopesOf } from '../scopes.ts'
import { isVisible } from '../visibility.ts'
import { followedBytes, watchesOf } from './watches.ts'

/** One caller may follow this many URIs. */
const mostSubscriptions = 10_000

/** Refuses so many more than a caller may follow. */
export function requireRoom({ subscriptions }: Caller, more: number): void {
  if (subscriptions.size + more <= mostSubscriptions) return
  throw new RpcError('limit_exceeded', `a caller may follow ${mostSubscriptions} URIs at once`, {
    data: { limit: 'subscriptions', allowed: mostSubscriptions },
  })
}

/** What a call is at a server, or at one that is mounted there: made once for each. */
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

/** Adds a URI to what the caller hears about. */
export async function subscribe(
  definition: Definition,
  uri: string,
  call: Call,
  contexts: Contexts = contextsOf(call),
): Promise<object> {
  const { caller } = call
  if (caller.subscriptions.has(uri)) return {}
  requireRoom(caller, 1)
  const found = await findResource(definition, uri, contexts)
  if (found === undefined) throw resourceNotFound(uri)
  if (call.isAborted || caller.subscriptions.has(uri)) return {}
  const refusal = caller.held?.reserve(followedBytes(uri))
  if (refusal) throw refusal
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
  for (const { bound, variables } of resourcesFor(definition, uri)) {
    if (bound.mount) {
      const inner = await findResource(bound.mount.inner, uri, contexts)
      if (inner) return inner
    } else if (await isVisible(bound.entry, context)) {
      requireScopesOf(bound.entry.config.scopes, variables, context)
      return { entry: bound.entry, variables }
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
  { config: { watch } }: ResourceEntry,
  variables: object,
  caller: Caller,
  signal: AbortSignal,
): Promise<void> {
  try {
    const changed = (): void => {
      if (!signal.aborted) announce(definition, { type: 'resource', uri })
    }
    await watch?.(variables as never, changed, signal) // types were settled at definition
  } catch (error) {
    if (!signal.aborted) caller.onError(error, { severity: 'error', operation: `watch ${uri}` })
  }
}

import type { Caller } from '../calls/caller.ts'
import type { Definition } from '../definition.ts'

/** Work that tells of changes of one URI, for all who follow it. */
export interface Watch {
  subscribers: number
  readonly controller: AbortController
}

/** A watch runs once per URI and process, from the first subscriber to the last; it knows none of them. */
const watches = new WeakMap<Definition, Map<string, Watch>>()

/** Those that run now, by URI. */
export function watchesOf(definition: Definition): Map<string, Watch> {
  const byUri = watches.get(definition) ?? new Map<string, Watch>()
  watches.set(definition, byUri)
  return byUri
}

/** What it takes to follow one: its text, and what tells of its changes. */
export function followedBytes(uri: string): number {
  return 512 + 2 * uri.length
}

/** Takes a URI from what the caller hears about. */
export function unsubscribe(definition: Definition, uri: string, caller: Caller): object {
  if (!caller.subscriptions.delete(uri)) return {}
  caller.held?.release(followedBytes(uri))
  stopWatching(definition, uri)
  return {}
}

/** The caller has gone: nobody hears for it any more. */
export function unsubscribeAll(
  definition: Definition,
  caller: Pick<Caller, 'subscriptions' | 'held'>,
): void {
  for (const uri of caller.subscriptions) {
    caller.held?.release(followedBytes(uri))
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

import type { Clock } from '../rpc/clock.ts'
import type { Prompt } from '../schema/prompts.ts'
import type { Resource, ResourceTemplate } from '../schema/resources.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import type { Tool } from '../schema/tools.ts'
import type { Subscription } from './changes.ts'
import type { List } from './list.ts'

/** The lists that can be watched, and what is in them. */
export interface WatchedLists {
  tools: Tool
  prompts: Prompt
  resources: Resource
  resourceTemplates: ResourceTemplate
}

export interface WatchOptions {
  /** Quiet needed after a change before the list is fetched again. @defaultValue 100 */
  readonly debounceMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export const watchFilters: Record<keyof WatchedLists, SubscriptionFilter> = {
  tools: { toolsListChanged: true },
  prompts: { promptsListChanged: true },
  resources: { resourcesListChanged: true },
  resourceTemplates: { resourcesListChanged: true },
}

/** Fetches a list now and again after each change, until the subscription or the signal ends. */
export async function* watchList<Item>(
  subscription: Subscription,
  list: () => List<Item>,
  clock: Clock,
  { debounceMs = 100, signal }: WatchOptions,
): AsyncGenerator<readonly Item[]> {
  const end = (): void => void subscription[Symbol.asyncDispose]()
  signal?.addEventListener('abort', end, { once: true })
  try {
    yield await list().toArray()
    for await (const _ of subscription) {
      // Changes that arrive meanwhile are merged by the subscription and cause one more turn.
      await new Promise<void>((resolve) => void clock.setTimer(resolve, debounceMs))
      if (signal?.aborted) return
      yield await list().toArray()
    }
  } finally {
    signal?.removeEventListener('abort', end)
    await subscription[Symbol.asyncDispose]()
  }
}

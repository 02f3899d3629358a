import type { Clock } from '../../rpc/clock.ts'
import type { Prompt } from '../../schema/prompts.ts'
import type { Resource, ResourceTemplate } from '../../schema/resources.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { Tool } from '../../schema/tools.ts'
import type { PagedList } from '../list.ts'
import type { ServerChange, Subscription } from './changes.ts'

/** The lists that can be watched, and what is in them. */
export interface WatchedLists {
  /** The items of `tools/list`. */
  tools: Tool
  /** The items of `prompts/list`. */
  prompts: Prompt
  /** The items of `resources/list`. */
  resources: Resource
  /** The items of `resources/templates/list`. */
  resourceTemplates: ResourceTemplate
}

/** How a list is watched. */
export interface WatchOptions {
  /** How long further changes are gathered before the list is fetched again. @defaultValue 100 */
  readonly debounceMs?: number | undefined
  /** Ends the iteration. */
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
  list: () => PagedList<Item>,
  clock: Clock,
  { debounceMs = 100, signal }: WatchOptions,
): AsyncGenerator<readonly Item[]> {
  const end = (): void => void subscription[Symbol.asyncDispose]()
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const changes = subscription[Symbol.asyncIterator]()
  let timer: Disposable | undefined
  try {
    yield await list().toArray()
    let next = changes.next()
    while (!(await next).done) {
      const timeUp = new Promise<undefined>((resolve) => {
        timer = clock.setTimer(() => resolve(undefined), debounceMs)
      })
      let meanwhile: IteratorResult<ServerChange> | undefined
      do {
        next = changes.next()
        meanwhile = await Promise.race([timeUp, next])
        if (meanwhile?.done) return
      } while (meanwhile !== undefined)
      yield await list().toArray()
    }
  } finally {
    timer?.[Symbol.dispose]()
    signal?.removeEventListener('abort', end)
    await subscription[Symbol.asyncDispose]()
  }
}

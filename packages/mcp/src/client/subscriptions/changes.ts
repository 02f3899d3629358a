import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import { keepProcessAlive } from '../connection/hold-process.ts'

/** A change on the server. Read the item again to see it. */
export type ServerChange =
  | {
      /** A list has changed: list again. */
      readonly type: 'tools' | 'prompts' | 'resources'
    }
  | {
      /** The contents of a resource have changed: read it again. */
      readonly type: 'resource'
      /** The URI of the resource. */
      readonly uri: string
    }
  /** Something may have been missed: look again at everything. */
  | { readonly type: 'gap' }

/** Ends when disposed, or when the client closes; survives reconnects and says so. */
export interface Subscription extends AsyncIterable<ServerChange>, AsyncDisposable {
  /** The part of the filter that the server accepted. It may be less than requested. */
  readonly accepted: SubscriptionFilter
}

/** Changes waiting to be read: one per kind and URI, however often it happened. */
export interface ChangeQueue extends AsyncIterable<ServerChange> {
  put(change: ServerChange): void
  end(): void
  /** Called when it ends, at once if it has ended. */
  onEnd(listener: () => void): void
}

export function createChangeQueue(): ChangeQueue {
  const waiting = new Map<string, ServerChange>()
  const endings: (() => void)[] = []
  let isEnded = false
  let wake: (() => void) | undefined

  function notifyReader(): void {
    wake?.()
    wake = undefined
  }

  async function* read(): AsyncGenerator<ServerChange> {
    for (;;) {
      const [first] = waiting
      if (first !== undefined) {
        waiting.delete(first[0])
        yield first[1]
      } else if (isEnded) return
      else await keepProcessAlive(new Promise<void>((resolve) => (wake = resolve)))
    }
  }

  return {
    put(change) {
      if (isEnded) return
      if (change.type === 'gap') waiting.clear() // it says all that the others would
      waiting.set(change.type === 'resource' ? `resource ${change.uri}` : change.type, change)
      notifyReader()
    },
    end() {
      if (isEnded) return
      isEnded = true
      notifyReader()
      for (const listener of endings) listener()
    },
    onEnd(listener) {
      if (isEnded) listener()
      else endings.push(listener)
    },
    [Symbol.asyncIterator]: read,
  }
}

/**
 * Which of the URIs that are followed a changed resource may be a part of: itself and what it lies below. A server may
 * name its parts otherwise too: if there is none, it may be any.
 */
export function wholesOf(changed: string, subscribed: readonly string[]): readonly string[] {
  const above = subscribed.filter(
    (uri) => uri === changed || changed.startsWith(uri.endsWith('/') ? uri : `${uri}/`),
  )
  return above.length > 0 ? above : subscribed
}

/** True if a subscription with this filter includes the change. A resource may be part of one in the filter. */
export function wants(filter: SubscriptionFilter, change: ServerChange): boolean {
  switch (change.type) {
    case 'tools':
      return filter.toolsListChanged ?? false
    case 'prompts':
      return filter.promptsListChanged ?? false
    case 'resources':
      return filter.resourcesListChanged ?? false
    case 'resource':
      return filter.resourceSubscriptions !== undefined
    case 'gap':
      return true
  }
}

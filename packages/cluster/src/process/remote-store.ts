import { isJsonObject } from '@parley/mcp/json'

import {
  StoreUnavailable,
  type ClusterStore,
  requireStarted,
  type StoreState,
} from '../store/cluster-store.ts'
import { checkTimeout, withDeadline } from '../store/deadline.ts'
import { createListeners } from '../store/listeners.ts'
import { wholeCount } from '../store/whole-numbers.ts'
import type { StoreChannel, StoreMessage, StorePart } from './store-messages.ts'

/** How long a child waits for its parent. */
export interface RemoteStoreOptions {
  /** After how many milliseconds without an answer a call has failed. @defaultValue 2000 */
  readonly timeoutMs?: number | undefined
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Calls without an answer. */
const maxWaiting = 10_000

/** The store of the parent process, as a child sees it. */
export function createRemoteStore(
  channel: StoreChannel,
  { timeoutMs = 2_000 }: RemoteStoreOptions = {},
): ClusterStore {
  checkTimeout(timeoutMs)
  const waiting = new Map<number, Waiting>()
  const listeners = createListeners({
    open: (topic) => trySend({ store: 'subscribe', topic }),
    close: (topic) => trySend({ store: 'unsubscribe', topic }),
  })
  let lastId = 0
  let state: StoreState = 'new'
  channel.listen(onText, () => end('the parent process is gone'))

  function onText(message: StoreMessage): void {
    if (message.store === 'publish') return listeners.notify(message.topic, message.text)
    if (message.store !== 'answer' && message.store !== 'failure') return
    const waited = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.store === 'answer') waited?.resolve(message.value)
    else waited?.reject(new StoreUnavailable(message.why))
  }

  function end(why: string): void {
    state = 'closed'
    for (const { reject } of waiting.values()) reject(new StoreUnavailable(why))
    waiting.clear()
  }

  function trySend(message: StoreMessage): void {
    try {
      channel.send(message)
    } catch {
      // A hint that is lost.
    }
  }

  /** Calls a method in the parent, which returns what the interface of the part says. */
  async function call<Value>(part: StorePart, method: string, ...args: unknown[]): Promise<Value> {
    requireStarted(state)
    if (waiting.size >= maxWaiting) {
      throw new StoreUnavailable(`${maxWaiting} calls wait for the parent process already`)
    }
    lastId += 1
    const id = lastId
    const answer = new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      try {
        channel.send({ store: 'call', id, part, method, args: args.map(finite) })
      } catch (cause) {
        reject(new StoreUnavailable('the parent process is gone', { cause }))
      }
    })
    try {
      return (await withDeadline(answer, timeoutMs, 'the parent process')) as Value // as its method returned it
    } finally {
      waiting.delete(id)
    }
  }

  return {
    records: {
      get: (key) => call('records', 'get', key),
      put: (key, text, expected, keepMs) => call('records', 'put', key, text, expected, keepMs),
      remove: (key) => call('records', 'remove', key),
      list: (group, cursor, limit) => call('records', 'list', group, cursor, limit),
    },
    feeds: {
      append: (feed, text, keepMs) => call('feeds', 'append', feed, text, keepMs),
      readSince: (feed, cursor) => call('feeds', 'readSince', feed, cursor),
    },
    once: { add: (key, keepMs) => call('once', 'add', key, keepMs) },
    leases: {
      renew: (node, leaseMs, info) => call('leases', 'renew', node, leaseMs, info),
      isAlive: (node) => call('leases', 'isAlive', node),
      release: (node) => call('leases', 'release', node),
      alive: () => call('leases', 'alive'),
      count: () => call('leases', 'count'),
    },
    streams: {
      append: (key, { onUnread: _, ...batch }, limits) =>
        call('streams', 'append', key, batch, limits),
      read: (key, after, most) => call('streams', 'read', key, after, most),
      takeOver: (key, from, texts, limits) => call('streams', 'takeOver', key, from, texts, limits),
      lastRead: (key) => call('streams', 'lastRead', key),
      dropSession: (session) => call('streams', 'dropSession', session),
    },
    budgets: {
      take: (key, wanted, capacity, windowMs) =>
        call('budgets', 'take', key, wanted, capacity, windowMs),
    },
    bus: {
      publish: (topic, text) => trySend({ store: 'publish', topic, text }),
      subscribe: (topic, receiveTopic) => listeners.add(topic, receiveTopic),
    },
    async start() {
      if (state === 'new') state = 'started'
      requireStarted(state)
      await call('leases', 'isAlive', '') // whether anybody answers
    },
    close: async () => end('the store is closed'),
  }
}

/** Limits may be infinite, which the channel cannot carry. */
function finite(value: unknown): unknown {
  if (typeof value === 'number') return wholeCount(value)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, finite(member)]))
}

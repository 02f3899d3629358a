import { errorMessage } from '@parley/mcp/json'

import type { ClusterStore } from '../store/cluster-store.ts'
import { storeMethods, type StoreChannel, type StoreMessage } from './store-messages.ts'

type Call = Extract<StoreMessage, { store: 'call' }>
type Method = (...args: readonly unknown[]) => Promise<unknown>

/** Lets a child use a store of this process for as long as its channel is open. */
export function serveStore(store: ClusterStore, channel: StoreChannel): void {
  const subscriptions = new Map<string, Disposable>()
  channel.listen(onText, release)

  function onText(message: StoreMessage): void {
    switch (message.store) {
      case 'call':
        return void answer(message)
      case 'publish':
        return store.bus.publish(message.topic, message.text)
      case 'subscribe':
        return subscribe(message.topic)
      case 'unsubscribe':
        return unsubscribe(message.topic)
      case 'answer':
      case 'failure':
        return undefined // only a parent sends these
    }
  }

  async function answer({ id, part, method, args }: Call): Promise<void> {
    try {
      const value = await methodOf(store, part, method)(...args.map(withoutNull))
      reply({ store: 'answer', id, value })
    } catch (error) {
      reply({ store: 'failure', id, why: errorMessage(error) })
    }
  }

  function subscribe(topic: string): void {
    if (subscriptions.has(topic)) return
    const receiveTopic = (text: string): void => reply({ store: 'publish', topic, text })
    subscriptions.set(topic, store.bus.subscribe(topic, receiveTopic))
  }

  function unsubscribe(topic: string): void {
    subscriptions.get(topic)?.[Symbol.dispose]()
    subscriptions.delete(topic)
  }

  function reply(message: StoreMessage): void {
    try {
      channel.send(message)
    } catch {
      release() // the child is gone
    }
  }

  function release(): void {
    for (const topic of subscriptions.keys()) unsubscribe(topic)
  }
}

function methodOf(store: ClusterStore, part: string, method: string): Method {
  const methods: Readonly<Record<string, readonly string[]>> = storeMethods
  if (!Object.hasOwn(methods, part) || !methods[part]?.includes(method)) {
    throw new TypeError(`the store has no method ${part}.${method}`)
  }
  const found = store as unknown as Readonly<Record<string, Readonly<Record<string, Method>>>> // a part and a method of the table
  return (...args) => found[part]?.[method]?.(...args) ?? Promise.resolve(undefined)
}

/** The channel turns `undefined` among arguments into `null`, which no method takes. */
function withoutNull(value: unknown): unknown {
  return value === null ? undefined : value
}

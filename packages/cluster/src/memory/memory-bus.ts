import type { Bus } from '../store/bus.ts'

export function createMemoryBus(): Bus {
  const listeners = new Map<string, Set<(text: string) => void>>()
  return {
    publish(topic, text) {
      // Later, as over a network: nobody is called while it is busy.
      for (const hear of listeners.get(topic) ?? []) queueMicrotask(() => hear(text))
    },
    subscribe(topic, hear) {
      const own = (text: string): void => hear(text)
      const heard = listeners.get(topic) ?? new Set()
      listeners.set(topic, heard.add(own))
      return {
        [Symbol.dispose]() {
          heard.delete(own)
          if (heard.size === 0 && listeners.get(topic) === heard) listeners.delete(topic)
        },
      }
    },
  }
}

/** The listeners of each topic. */
export interface Listeners {
  topics(): readonly string[]
  add(topic: string, onText: (text: string) => void): Disposable
  notify(topic: string, text: string): void
}

/** Calls `open` with the first listener of a topic, and `close` after the last. */
export function createListeners(on: {
  open(topic: string): void
  close(topic: string): void
}): Listeners {
  const listeners = new Map<string, Set<(text: string) => void>>()
  return {
    topics: () => [...listeners.keys()],
    add(topic, onText) {
      const own = (text: string): void => onText(text)
      const existing = listeners.get(topic)
      if (existing) existing.add(own)
      else {
        listeners.set(topic, new Set([own]))
        on.open(topic)
      }
      return {
        [Symbol.dispose]() {
          const left = listeners.get(topic)
          if (!left?.delete(own) || left.size > 0) return
          listeners.delete(topic)
          on.close(topic)
        },
      }
    },
    notify(topic, text) {
      for (const onText of listeners.get(topic) ?? []) onText(text)
    },
  }
}

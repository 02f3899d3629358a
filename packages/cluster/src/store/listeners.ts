/** Who listens to which topic. */
export interface Listeners {
  topics(): readonly string[]
  add(topic: string, hear: (text: string) => void): Disposable
  tell(topic: string, text: string): void
}

/** Calls `open` with the first listener of a topic, and `close` after the last. */
export function createListeners(on: {
  open(topic: string): void
  close(topic: string): void
}): Listeners {
  const listeners = new Map<string, Set<(text: string) => void>>()
  return {
    topics: () => [...listeners.keys()],
    add(topic, hear) {
      const own = (text: string): void => hear(text)
      const known = listeners.get(topic)
      if (known) known.add(own)
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
    tell(topic, text) {
      for (const hear of listeners.get(topic) ?? []) hear(text)
    },
  }
}

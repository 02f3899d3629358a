import type { ClusterBus, ClusterStore } from '../store/cluster-store.ts'

/** How bad a bus is. */
export interface UnreliableBusOptions {
  /** The same seed gives the same fates to the same hints. */
  readonly seed: number
  /**
   * The share of hints that are lost, from 0 to 1.
   *
   * @defaultValue 0.3
   */
  readonly lost?: number | undefined
  /**
   * The share of the others that come twice.
   *
   * @defaultValue 0.2
   */
  readonly repeated?: number | undefined
  /**
   * The share of the others that come late, and so after hints that were sent later.
   *
   * @defaultValue 0.5
   */
  readonly delayed?: number | undefined
  /** @defaultValue 50 */
  readonly maxDelayMs?: number | undefined
}

/**
 * The same store with a bus that loses, repeats, delays and reorders what this process hears. What is built on a store works
 * with it, only later.
 */
export function withUnreliableBus(
  store: ClusterStore,
  options: UnreliableBusOptions,
): ClusterStore {
  return { ...store, bus: createUnreliableBus(store.bus, options) }
}

function createUnreliableBus(bus: ClusterBus, options: UnreliableBusOptions): ClusterBus {
  const { lost = 0.3, repeated = 0.2, delayed = 0.5, maxDelayMs = 50 } = options
  const random = createRandom(options.seed)

  /** One delay for each time that a hint is heard. */
  function delaysOfHint(): readonly number[] {
    if (random() < lost) return []
    const times = random() < repeated ? 2 : 1
    return Array.from({ length: times }, () => (random() < delayed ? random() * maxDelayMs : 0))
  }

  return {
    publish: (topic, text) => bus.publish(topic, text),
    subscribe(topic, onText) {
      const timers = new Set<NodeJS.Timeout>()
      function hearLater(text: string, delayMs: number): void {
        const timer = setTimeout(() => {
          timers.delete(timer)
          onText(text)
        }, delayMs)
        timers.add(timer)
      }
      const subscription = bus.subscribe(topic, (text) => {
        for (const delayMs of delaysOfHint()) {
          if (delayMs > 0) hearLater(text, delayMs)
          else onText(text)
        }
      })
      return {
        [Symbol.dispose]() {
          subscription[Symbol.dispose]()
          for (const timer of timers) clearTimeout(timer)
        },
      }
    },
  }
}

/** Numbers from 0 to 1 that look random and follow from the seed: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const hubs = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back when a signal aborts. However many wait on one signal, it gets one listener: one signal for a hundred
 * calls is ordinary use, and runtimes warn about a leak from eleven listeners on.
 */
export function onAbort(signal: AbortSignal, callback: () => void): Disposable {
  const callbacks = hubs.get(signal) ?? openHub(signal)
  callbacks.add(callback)
  return { [Symbol.dispose]: () => void callbacks.delete(callback) }
}

function openHub(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>()
  hubs.set(signal, callbacks)
  signal.addEventListener(
    'abort',
    () => {
      for (const callback of callbacks) callback()
      callbacks.clear()
    },
    { once: true },
  )
  return callbacks
}

/**
 * A signal that aborts with the first of the given ones; `undefined` and `null` stand for none. Unlike with
 * `AbortSignal.any`, one from `AbortSignal.timeout` counts in any case: Node 20 may collect it as garbage, and it would
 * never abort.
 */
export function anySignal(
  first: AbortSignal,
  ...others: readonly (AbortSignal | null | undefined)[]
): AbortSignal {
  const sources = [first, ...others.filter((other) => !!other)]
  if (!sources[1]) return first
  // oxlint-disable-next-line eslint/no-restricted-properties
  return Object.assign(AbortSignal.any(sources), { sources }) // so they live as long as it does
}

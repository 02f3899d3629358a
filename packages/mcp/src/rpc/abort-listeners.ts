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

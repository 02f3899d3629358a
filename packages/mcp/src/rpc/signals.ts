import type { Clock } from './clock.ts'
import type { MaybePromise } from './promise.ts'

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

/** How to wait. */
export interface WaitOptions {
  /** Ends the wait; what is waited for continues. */
  readonly signal?: AbortSignal | undefined
  /** @defaultValue timers of the runtime, which keep the process running */
  readonly clock?: Pick<Clock, 'setTimer'> | undefined
}

const runtimeTimers: Pick<Clock, 'setTimer'> = {
  setTimer(callback, ms) {
    const timer = setTimeout(callback, Math.min(ms, maxTimerMs))
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  },
}

/** Beyond this `setTimeout` fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** Waits; rejects with the signal's reason if that aborts first. */
export async function sleep(
  ms: number,
  { signal, clock = runtimeTimers }: WaitOptions = {},
): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = clock.setTimer(() => {
      abortion?.[Symbol.dispose]()
      resolve()
    }, ms)
    const abortion =
      signal &&
      onAbort(signal, () => {
        timer[Symbol.dispose]()
        reject(signal.reason)
      })
  })
}

/** Waits until `work` settles, `ms` have passed or the signal aborts. True if the work was done by then; rejects if it failed. */
export async function waitAtMost(
  ms: number,
  work: Promise<unknown>,
  { signal, clock = runtimeTimers }: WaitOptions = {},
): Promise<boolean> {
  if (signal?.aborted) return false
  let timer: Disposable | undefined
  let abortion: Disposable | undefined
  const over = new Promise<false>((resolve) => {
    if (ms !== Infinity) timer = clock.setTimer(() => resolve(false), Math.max(0, ms))
    abortion = signal && onAbort(signal, () => resolve(false))
  })
  try {
    return await Promise.race([work.then(() => true), over])
  } finally {
    timer?.[Symbol.dispose]()
    abortion?.[Symbol.dispose]()
  }
}

/** The result of `work`; rejects with `error()` if it has not settled after `ms`, and with the signal's reason if that aborts. */
export async function withTimeout<Result>(
  ms: number,
  work: Promise<Result>,
  error: () => unknown,
  { signal, clock = runtimeTimers }: WaitOptions = {},
): Promise<Result> {
  let timer: Disposable | undefined
  const late = new Promise<never>((_, reject) => {
    if (ms !== Infinity) timer = clock.setTimer(() => reject(error()), ms)
  })
  try {
    const race = Promise.race([work, late])
    return await (signal === undefined ? race : unlessAborted(race, signal))
  } finally {
    timer?.[Symbol.dispose]()
  }
}

/** The result of `work`; rejects with the signal's reason as soon as that aborts, for work that does not look at the signal. */
export async function unlessAborted<Result>(
  work: MaybePromise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let abortion: Disposable | undefined
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else abortion = onAbort(signal, () => reject(signal.reason))
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    abortion?.[Symbol.dispose]()
  }
}

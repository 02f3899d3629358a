/** A value now or later. Hot paths wait only when there is something to wait for. */
export type MaybePromise<T> = T | Promise<T>

/** True for anything `await` would wait for. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

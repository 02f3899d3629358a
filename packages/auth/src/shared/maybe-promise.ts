/** A value that may be at hand: who has it does not wait for the next turn. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with a value, at once where it is there. */
export function after<T, R>(
  value: MaybePromise<T>,
  resume: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(resume) : resume(value)
}

/** Does something that may fail, now or later. */
export function resolve<T>(
  work: () => MaybePromise<T>,
  onFailure: (cause: unknown) => T,
): MaybePromise<T> {
  try {
    const result = work()
    return result instanceof Promise ? result.catch(onFailure) : result
  } catch (cause) {
    return onFailure(cause)
  }
}

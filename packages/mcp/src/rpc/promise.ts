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

/** Does something now or later; what goes wrong in it, whenever, is handed over. */
export function attempt(
  work: () => MaybePromise<void>,
  onFailure: (error: unknown) => void,
): MaybePromise<void> {
  try {
    const done = work()
    if (isPromise(done)) return done.catch(onFailure)
  } catch (error) {
    onFailure(error)
  }
}

/** Work that may be awaited later, or never: a rejection in the meantime must not end the process. */
export function markHandled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined) // whoever awaits it gets the error
  return work
}

/** A part that is loaded when it is first needed; many programs never need it. */
export interface Lazy<Part> {
  /** The part, as soon as it is there. */
  readonly loaded: Part | undefined
  /** Once; again only if it failed. */
  load(): Promise<Part>
}

/** `create` imports the part and makes it. What it gave is kept: importing again is not for nothing, even where it is there. */
/* @__NO_SIDE_EFFECTS__ */
export function lazy<Part>(create: () => Promise<Part>): Lazy<Part> {
  let loaded: Part | undefined
  let loading: Promise<Part> | undefined

  async function load(): Promise<Part> {
    try {
      return (loaded = await create())
    } catch (error) {
      loading = undefined // may be there next time
      throw error
    }
  }

  return {
    get loaded() {
      return loaded
    },
    load: () => (loading ??= load()),
  }
}

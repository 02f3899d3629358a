import { useCallback, useEffect, useState } from 'react'

/** A part of the page that is fetched when it is needed. */
export interface Loadable<T> {
  /** Once it is here. */
  readonly value: T | undefined
  /** Fetches it, once; after a failure, again. */
  load(): Promise<T>
}

/** Whether a part is here. */
export type Loading<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'ready'; readonly value: T }

const all: Loadable<unknown>[] = []

/** Makes a part out of an `import()`. One that few people need is fetched on demand only, never in advance. */
export function createLoadable<T>(
  fetchPart: () => Promise<T>,
  when: 'in advance' | 'on demand' = 'in advance',
): Loadable<T> {
  let value: T | undefined
  let loading: Promise<T> | undefined
  const loadable: Loadable<T> = {
    get value() {
      return value
    },
    load() {
      loading ??= fetchPart().then(
        (fetched) => (value = fetched),
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
  if (when === 'in advance') all.push(loadable)
  return loadable
}

/** Fetches a part for a component. What is here already is there at once. */
export function useLoadable<T>(loadable: Loadable<T>): Loading<T> {
  const [, setRound] = useState(0)
  const [isFailed, setIsFailed] = useState(false)
  const load = useCallback(() => {
    setIsFailed(false)
    loadable.load().then(
      () => setRound((round) => round + 1),
      () => setIsFailed(true),
    )
  }, [loadable])
  const { value } = loadable
  useEffect(() => {
    if (loadable.value === undefined) load()
  }, [loadable, load])
  if (value !== undefined) return { state: 'ready', value }
  return isFailed ? { state: 'failed', retry: load } : { state: 'loading' }
}

/** Fetches everything else one after the other while nothing happens, so that tabs open at once. */
export async function loadRest(): Promise<void> {
  for (const loadable of all) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2000 }))
    await loadable.load().catch(() => undefined) // whoever needs it will be told
  }
}

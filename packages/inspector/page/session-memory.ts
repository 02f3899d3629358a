/** What outlives a reload of this tab, and ends with it. Arguments can be secrets: nothing of it goes to a disk of ours. */
import { fitting } from './fitting.ts'

const saveAfterMs = 250

/** What was kept under a name, if it is what it should be. */
export function readSession<T>(name: string, is: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(`parley-${name}`) ?? 'null')
    return is(value) ? value : undefined
  } catch {
    return undefined // without storage a reload begins anew
  }
}

/** Returns what asks for keeping `list()`, newest first, soon; as many as fit. */
export function keepInSession(name: string, list: () => readonly unknown[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function save() {
    clearTimeout(timer)
    timer = undefined
    try {
      sessionStorage.setItem(`parley-${name}`, fitting(list()))
    } catch {
      // Without storage, or without room, it holds until the page is closed.
    }
  }

  addEventListener('pagehide', () => {
    if (timer !== undefined) save()
  })
  return () => {
    timer ??= setTimeout(save, saveAfterMs)
  }
}

/** Waits for a place and gives it back when it is disposed of; gives up when the signal aborts. */
export type TakeSlot = (signal: AbortSignal) => Promise<Disposable>

/** So many at once; others wait for their turn. */
export function createSlots(count: number): TakeSlot {
  const waiting: (() => void)[] = []
  let free = count

  const slot: Disposable = {
    [Symbol.dispose]() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }

  return (signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        resolve(slot)
        return
      }
      const take = () => {
        signal.removeEventListener('abort', giveUp)
        resolve(slot)
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(signal.reason as Error) // what aborted says why
      }
      waiting.push(take)
      signal.addEventListener('abort', giveUp, { once: true })
    })
}

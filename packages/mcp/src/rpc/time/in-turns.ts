import type { MaybePromise } from '../promise.ts'

/** Others wait no longer than this for work of any length. */
const turnMs = 5

/** Works on one item after the other, and lets others in between when that has taken a while. Never rejects unless `work` throws. */
export function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
): MaybePromise<void> {
  let next = 0

  function turn(): MaybePromise<void> {
    const endsAt = performance.now() + turnMs
    for (const item of items.slice(next)) {
      work(item)
      next += 1
      if (performance.now() > endsAt && next < items.length) return later().then(turn)
    }
  }

  return turn()
}

/** A whole turn of the event loop: promises alone let nobody else in. */
function later(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0))
}

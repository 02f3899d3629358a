import type { Clock } from '../../rpc/time/clock.ts'
import type { ServerChange } from '../definition.ts'

/** Many features are registered at once at start-up; clients are told once per kind. */
const windowMs = 50

/** Merges list changes of one kind over a short time; changes of one resource pass at once. */
export interface ListChanges extends Disposable {
  add(change: ServerChange): void
}

export function mergeListChanges(clock: Clock, tell: (change: ServerChange) => void): ListChanges {
  const waiting = new Set<'tools' | 'prompts' | 'resources'>()
  let timer: Disposable | undefined

  function flush(): void {
    timer = undefined
    const types = [...waiting]
    waiting.clear()
    for (const type of types) tell({ type })
  }

  return {
    add(change) {
      if (change.type === 'resource') return tell(change)
      waiting.add(change.type)
      timer ??= clock.setTimer(flush, windowMs)
    },
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
      timer = undefined
      waiting.clear()
    },
  }
}

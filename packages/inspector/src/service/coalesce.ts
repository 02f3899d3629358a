import type { Events } from '../protocol/index.ts'
import type { Emit } from './handlers.ts'

const everyMs = 100

/** Tells what a server can repeat without end at most ten times a second: the first at once, then the newest. */
export function coalesce(emit: Emit): Emit {
  /** By what is told: what has to be told next, if anything. */
  const recent = new Map<string, (() => void) | undefined>()

  function rest(key: string): void {
    recent.set(key, undefined)
    const timer = setTimeout(() => {
      const next = recent.get(key)
      recent.delete(key)
      if (next === undefined) return
      next()
      rest(key)
    }, everyMs)
    timer.unref()
  }

  return (event, data) => {
    const key = keyOf(event, data)
    if (key !== undefined && recent.has(key)) {
      recent.set(key, () => emit(event, data))
      return
    }
    emit(event, data)
    if (key !== undefined) rest(key)
  }
}

/** Undefined for what is told each time. */
function keyOf<E extends keyof Events>(event: E, data: Events[E]): string | undefined {
  if (event === 'runs/progress' && 'run' in data) return JSON.stringify([event, data.run])
  const isPlain = event === 'lists/changed' || event === 'resources/updated'
  return isPlain ? JSON.stringify([event, data]) : undefined
}

import type { Caller } from '../calls/caller.ts'

/** Who waits for the end of a task, and can be asked on its behalf. */
export interface TaskWaiters {
  enter(taskId: string, caller: Caller): Disposable
  /** The last that came: a client that comes again has given up on where it waited before. */
  newest(taskId: string): Caller | undefined
}

export function createTaskWaiters(): TaskWaiters {
  const waiting = new Map<string, Caller[]>()

  return {
    enter(taskId, caller) {
      const callers = waiting.get(taskId) ?? []
      waiting.set(taskId, callers)
      callers.push(caller)
      return {
        [Symbol.dispose]() {
          callers.splice(callers.indexOf(caller), 1)
          if (callers.length === 0) waiting.delete(taskId)
        },
      }
    },
    newest: (taskId) => waiting.get(taskId)?.at(-1),
  }
}
